import type { Timings } from '../core/timings.ts';

/** The configuration as it stands: what files or custom resources say, resolved and checked. Immutable. */
export interface Configuration {
  readonly bindings: ReadonlyMap<string, Binding>;
  readonly timings: Timings;
  /** Where the store is to be; only read at the start. */
  readonly store: StoreChoice;
}

export interface Binding {
  readonly name: string;
  readonly backend: Backend;
  /** kagent-v1 only. */
  readonly agent?: { readonly namespace: string; readonly name: string };
  readonly identity: Identity;
  readonly platform: string;
  /** Absent: the binding does not allow it (rules M4, Q9). */
  readonly interactions: {
    readonly questions?: { readonly timeoutMs: number };
    readonly toolApprovals?: { readonly timeoutMs: number; readonly approvers?: readonly string[] };
  };
}

export interface Backend {
  readonly name: string;
  readonly dialect: 'a2a' | 'kagent-v1';
  /** As written. */
  readonly url: string;
  /** `AgentBackend.spec.card.url` (decision 1). */
  readonly cardUrl?: string;
  /** Static headers on every call; values from secrets are resolved. Never logged. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly egress: 'direct' | 'public';
}

/** Exactly one. The token is a secret: never logged. */
export type Identity = { readonly token: string } | { readonly userId: string };

export type StoreChoice =
  | { readonly kind: 'sqlite'; readonly path?: string }
  | { readonly kind: 'postgres'; readonly url: string };

export interface Registry {
  /** The last good configuration. */
  current(): Configuration;
  /** Calls back after each change that was taken up; the function returned ends it. */
  watch(changed: (configuration: Configuration) => void): () => void;
  /** Why the newest change was refused, one line each (`FILE:LINE: what; remedy`); empty when `current` is the newest. */
  problems(): readonly string[];
}
