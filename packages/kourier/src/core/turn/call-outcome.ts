import type { TaskSnapshot } from '../reply/agent-event.ts';
import type { AgentId, TaskId } from '../thread/ids.ts';

/**
 * How a call failed. Each says how certain that is, because an unknown outcome is a result too:
 * certain and final (`refused` … `rejected`), certainly not done (`not-sent`), or possibly done (`unknown`).
 * `why` is for the log: it names a status, a code or a limit, never the agent's own text or a secret.
 */
export type Failure =
  /** The card: no JSON-RPC interface, no streaming, an extension that we do not speak (D1, D3, D4). */
  | { readonly kind: 'refused'; readonly reason: 'no-jsonrpc' | 'no-streaming' | 'extension'; readonly why: string }
  /** HTTP 401 or 403, or the agent's own word for it, at any call, the card's too (E1). */
  | { readonly kind: 'credentials'; readonly why: string }
  /** A Space lets nobody call the agent until somebody decides otherwise there (rule C8); `agent` is its id in the Space. */
  | { readonly kind: 'blocked'; readonly reason: Block; readonly agent: string; readonly why: string }
  /** -31403 (E2). */
  | { readonly kind: 'identity'; readonly why: string }
  /** -32004 to a send (E3). */
  | { readonly kind: 'busy'; readonly retryAfterMs?: number; readonly why: string }
  /** -32001 (E4). */
  | { readonly kind: 'not-found'; readonly why: string }
  /** The agent has no such method, or not for this task: -32601, or -32004 to anything but a send. */
  | { readonly kind: 'unsupported'; readonly why: string }
  /** -32002 to a cancel. */
  | { readonly kind: 'not-cancelable'; readonly why: string }
  /** Any other JSON-RPC error that says no: the agent got the request and will not do it. */
  | { readonly kind: 'rejected'; readonly code: number; readonly why: string }
  /** A frame or body over a limit of ours. Repeating the call would bring the same. */
  | { readonly kind: 'too-large'; readonly why: string }
  /** Certainly not done: no connection, a 3xx, another 4xx than 408 and 429, a card that cannot be had (E5, D2, D5). */
  | { readonly kind: 'not-sent'; readonly retryAfterMs?: number; readonly why: string }
  /** May have been done: 5xx, 408, 429, no headers in time, a lost connection, an answer that is no A2A, -32603 (E6, D6). */
  | {
      readonly kind: 'unknown';
      readonly retryAfterMs?: number /** The JSON-RPC code, when there was one. */;
      readonly code?: number;
      readonly why: string;
    };

/**
 * How a stream ended. `closed`: the agent ended it, or we did. `cut`: it broke, went silent for `streamIdle`, sent an
 * error frame or something over a limit after its first event. A failure: it ended before any event.
 */
export type StreamEnd =
  | { readonly kind: 'closed' }
  | { readonly kind: 'cut'; readonly retryAfterMs?: number; readonly why: string }
  | Failure;

export type TaskRead = { readonly kind: 'task'; readonly task: TaskSnapshot } | Failure;

export type Lookup = { readonly kind: 'found'; readonly taskId: TaskId } | { readonly kind: 'absent' } | Failure;

/** Whom a Space has for a thread. `agents`: ids of those who tie, or who fit and cannot be called. */
export type Choice =
  | { readonly kind: 'agent'; readonly agent: AgentId }
  | { readonly kind: 'no-agent'; readonly reason: NoAgent; readonly agents: readonly string[]; readonly why: string }
  | Failure;

/** `no-space`: there is none by its id, or not for us. */
export type NoAgent = 'tie' | 'blocked' | 'unknown-skill' | 'nothing-fits' | 'no-space';

/** Why a Space lets nobody call an agent; `gone`: it has none by this id, or not for us, and says no more. */
export type Block =
  | 'disabled'
  | 'approval-pending'
  | 'card-invalid'
  | 'signature-required'
  | 'public-egress-disabled'
  | 'no-dialer'
  | 'gone'
  /** One that this version does not know. */
  | 'other';
