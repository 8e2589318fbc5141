import type { PrincipalKind, Role } from '../../core/access/principal.ts';
import type { Json, Reach } from '../../core/directory/registered-agent.ts';
import type { StoreChoice } from '../registry.ts';

/** The configuration of a gateway as it stands, resolved and checked. Immutable. */
export interface SpaceConfiguration {
  /**
   * What published cards name: https, or loopback; without a slash at its end, its host in small letters. Absent: where it
   * listens, which is loopback then.
   */
  readonly publicUrl?: string;
  /** Only read at the start. */
  readonly store: StoreChoice;
  readonly spaces: ReadonlyMap<string, SpacePolicy>;
  /** Each with its own id in its Space; in the order of the documents. */
  readonly agents: readonly ConfiguredAgent[];
  readonly credentials: ReadonlyMap<string, UpstreamCredential>;
  readonly dialers: ReadonlyMap<string, Dialer>;
  /**
   * Absent: local mode, in which whoever reaches loopback is an operator of every Space. Once a process had it, it has it
   * for good: who takes the last key away lets nobody in, and does not open the door.
   */
  readonly access?: Access;
  readonly health: { readonly everyMs: number; readonly timeoutMs: number; readonly failures: number };
  readonly permitValidMs: number;
  /** Whether published cards are signed with the gateway's key. */
  readonly signCards: boolean;
}

export interface SpacePolicy {
  readonly id: string;
  readonly tenant: string;
  readonly egress: {
    /** Whether agents of the reach `public` may be called. */
    readonly public: boolean;
    /** Of the reach `public`; never empty. */
    readonly ports: readonly number[];
    /** `host:port` that is reached at whatever address it has, over plain HTTP too; as a URL has it. */
    readonly trustedHosts: readonly string[];
  };
  readonly signatures: {
    /** Whether a card without a signature that holds is refused. */
    readonly required: boolean;
    /** The public keys that count, as JWKs that verify; each for the origins it names, for all when it names none (case C019). */
    readonly keys: readonly { readonly jwk: Json; readonly origins: readonly string[] }[];
  };
  /** Where the events of its tasks go. */
  readonly sinks: readonly EventSink[];
}

export interface EventSink {
  readonly name: string;
  readonly url: string;
  /** Signs each event (Standard Webhooks): `whsec_` and the base64 of 24 to 64 bytes; never logged. */
  readonly secret: string;
}

export interface ConfiguredAgent {
  readonly space: string;
  readonly id: string;
  readonly card: { readonly kind: 'url'; readonly url: string } | { readonly kind: 'given'; readonly card: Json };
  readonly reach: Reach;
  /** Of the reach `vpc`, always; its name is among the dialers. */
  readonly dialer?: string;
  /** Its name is among the credentials. */
  readonly credential?: string;
  /** Calls go there in place of where the card says. */
  readonly url?: string;
  /** What the agent's runtime is called, for the identity that is forwarded to it (rule A5); absent: none is. */
  readonly runtime?: {
    readonly account: string;
    /** May be empty. */
    readonly tenant: string;
    readonly agent: string;
    readonly runtime: string;
  };
  readonly disabled: boolean;
}

/** Headers that calls to some agents carry. Values are secrets: never logged, never shown, sent to these origins only. */
export interface UpstreamCredential {
  readonly name: string;
  readonly origins: readonly string[];
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

/** A way into a private network. */
export interface Dialer {
  readonly name: string;
  /** The origin of an HTTP proxy that is asked with CONNECT, as `http://proxy.inside:3128`. */
  readonly proxy: string;
  /** What it may be asked for; anything else is refused. One of the two names something. */
  readonly allow: {
    /** Names as agents are called by them (`agents.corp`), or all below one (`*.agents.corp`). */
    readonly hosts: readonly string[];
    /** For agents that are called by their address: `10.20.0.0/16`, `fd00:20::/32`. */
    readonly cidrs: readonly string[];
  };
  /** Never empty. */
  readonly ports: readonly number[];
}

export interface Access {
  readonly apiKeys: readonly ApiKey[];
  readonly issuers: readonly TokenIssuer[];
}

export interface ApiKey {
  /** The principal's id. Keys of one name, tenant and kind are one principal, while one takes over from another. */
  readonly name: string;
  /** 64 small hex digits, of the whole key. */
  readonly sha256: string;
  readonly tenant: string;
  readonly kind: PrincipalKind;
  readonly grants: ReadonlyMap<string, Role>;
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number;
}

export interface TokenIssuer {
  readonly name: string;
  readonly issuer: string;
  readonly audience: string;
  /** Absent: what the issuer's discovery document says. */
  readonly jwksUrl?: string;
  readonly kind: PrincipalKind;
  readonly tenant: { readonly fixed: string } | { readonly claim: string };
  readonly grants: readonly TokenGrant[];
}

export interface TokenGrant {
  /** Absent: everybody of the issuer. `has` is compared with the claim, or with each of its values. */
  readonly when?: { readonly claim: string; readonly has: string };
  /** `*`: all Spaces of the tenant. */
  readonly space: string;
  readonly role: Role;
}

/** The configuration that is in force. */
export interface SpaceRegistry {
  /** The last good one. */
  current(): SpaceConfiguration;
  /** Calls back after each change that was taken up; the function returned ends it. */
  watch(changed: (configuration: SpaceConfiguration) => void): () => void;
  /** Why the newest change was refused, one line each; empty when `current` is the newest. */
  problems(): readonly string[];
}
