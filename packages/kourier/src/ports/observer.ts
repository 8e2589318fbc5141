import type { RequestEntry, RequestType } from '../core/thread/entry.ts';

/**
 * What happened, for the log, the metrics and a trace. One observation is one log line; the words are the same in the
 * tests. Never holds a secret, an agent's text or a person's text.
 */
export type Observation =
  | { readonly event: 'message-accepted'; readonly thread: string; readonly turn?: string }
  | { readonly event: 'turn-began'; readonly thread: string; readonly turn: string; readonly trace: string }
  | {
      readonly event: 'turn-settled';
      readonly thread: string;
      readonly turn: string;
      readonly trace: string;
      readonly outcome: string;
      readonly tookMs: number;
    }
  | {
      readonly event: 'call-failed';
      readonly thread: string;
      readonly turn: string;
      readonly call: string;
      readonly kind: string;
      readonly why: string;
    }
  | {
      readonly event: 'retry';
      readonly thread: string;
      readonly turn: string;
      readonly reason: string;
      readonly inMs: number;
    }
  /** May be repeated, as after a restart; a turn has at most one request open. */
  | { readonly event: 'request-opened'; readonly thread: string; readonly turn: string; readonly type: RequestType }
  | {
      readonly event: 'request-settled';
      readonly thread: string;
      readonly turn: string;
      readonly type: RequestType;
      readonly state: Exclude<RequestEntry['state'], 'open'>;
    }
  | { readonly event: 'stream-opened'; readonly thread: string; readonly turn: string }
  | { readonly event: 'stream-closed'; readonly thread: string; readonly turn: string; readonly dropped: boolean }
  | { readonly event: 'credentials-rejected'; readonly thread: string; readonly turn: string }
  | { readonly event: 'lease-lost'; readonly thread: string }
  /** The first of a stream. */
  | { readonly event: 'late-event-dropped'; readonly thread: string; readonly turn: string }
  | { readonly event: 'status-text-only'; readonly thread: string; readonly turn: string }
  | { readonly event: 'store-failed'; readonly thread: string; readonly why: string }
  | { readonly event: 'chat-called'; readonly platform: string; readonly method: string; readonly outcome: string }
  | { readonly event: 'configuration-changed' }
  | { readonly event: 'configuration-refused'; readonly problems: readonly string[] };

/** Must not block and must not throw. */
export type Observe = (observation: Observation) => void;
