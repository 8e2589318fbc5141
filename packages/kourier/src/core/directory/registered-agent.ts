/** Any JSON object, as it came. */
export type Json = Readonly<Record<string, unknown>>;

/**
 * How the gateway gets to an agent: `inside` at an address that configuration or an operator gave; `public` through the
 * guarded transport, where the policy of the Space allows it; `vpc` through a dialer; `tunnel` when the agent dialled out.
 */
export const REACHES = ['inside', 'public', 'vpc', 'tunnel'] as const;
export type Reach = (typeof REACHES)[number];

/** Where calls of one binding and version go; kept apart from the card that is published (case C014). */
export interface Endpoint {
  /** Absolute, never empty (case C005). */
  readonly url: string;
  readonly binding: 'JSONRPC' | 'HTTP+JSON';
  readonly version: '1.0' | '0.3';
  /** What every call of it names as its tenant (A2A 1.0). */
  readonly tenant?: string;
}

/** One difference between two revisions; a path as `$.skills[0].name`. */
export interface CardChange {
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'changed';
  /** JSON text, cut to `cardChangeCharacters`. */
  readonly before?: string;
  readonly after?: string;
}

export type RevisionState = 'current' | 'pending' | 'refused' | 'superseded';

/** One card of an agent. The card and what was read from it never change; its state does. */
export interface Revision {
  /** From 1, without gaps. */
  readonly number: number;
  /** `v<number>-<first 12 hex digits of cardSha256>`; what callers expect and permits name. */
  readonly versionId: string;
  /** Hex, of the canonical JSON (RFC 8785). */
  readonly cardSha256: string;
  /** As it came, unknown fields included; untrusted text (case C023). */
  readonly card: Json;
  readonly endpoints: readonly Endpoint[];
  /** The ids of the configured keys whose signatures held. */
  readonly signedBy: readonly string[];
  /** Who brought it: a principal's key, or `configuration`, or `watch`. */
  readonly registeredBy: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Against the revision before; empty for the first. */
  readonly changes: readonly CardChange[];
  readonly state: RevisionState;
  readonly decidedBy?: string;
  readonly decidedAt?: number;
}

export interface Health {
  readonly state: 'unknown' | 'healthy' | 'unhealthy';
  /** Checks in a row that failed. */
  readonly failures: number;
  readonly checkedAt?: number;
  /** A stable code, when the last check failed. */
  readonly why?: string;
}

/** An agent in a Space, as the directory keeps it. */
export interface RegisteredAgent {
  readonly space: string;
  readonly id: string;
  /** Where its card is read again; absent when the card was given. */
  readonly cardUrl?: string;
  readonly reach: Reach;
  /** Of `vpc`: the name of the dialer. */
  readonly dialer?: string;
  /** The name of the configured credential that calls carry. */
  readonly credential?: string;
  /** Calls go there in place of where the card says (cases C008, C013). */
  readonly url?: string;
  readonly origin: 'configuration' | 'http';
  readonly disabled: boolean;
  /** What is published and called; absent until the first one is approved. */
  readonly current?: Revision;
  /** What waits for an approval. */
  readonly pending?: Revision;
  readonly health: Health;
  /** Of its last change, in the order of all changes of the store. */
  readonly sequence: number;
}
