import type { AgentEvent, TaskSnapshot } from '../core/reply/agent-event.ts';
import type { Actor } from '../core/thread/entry.ts';
import type { ContextId, MessageId, TaskId } from '../core/thread/ids.ts';

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
  | { readonly kind: 'unknown'; readonly retryAfterMs?: number; readonly why: string };

/** What is sent: one user message with one text part (rule S1). */
export interface Outgoing {
  readonly messageId: MessageId;
  readonly text: string;
  readonly contextId?: ContextId;
  /** Only on an answer, to the paused task (rule S4). */
  readonly taskId?: TaskId;
  /** Absent on a triggered turn; `platform` is the chat platform's id (rule S5). */
  readonly actor?: Actor & { readonly platform: string };
}

export interface CallOptions {
  /** Ends the call on our side, at once and for good; a stream then ends as `closed`. */
  readonly signal: AbortSignal;
  /** 32 hex digits; every call of a turn is a span of this trace (rule S7). */
  readonly traceId: string;
}

/**
 * How a stream ended. `closed`: the agent ended it, or we did. `cut`: it broke, went silent for `streamIdle`, sent an
 * error frame or something over a limit after its first event. A failure: it ended before any event.
 */
export type StreamEnd =
  | { readonly kind: 'closed' }
  | { readonly kind: 'cut'; readonly retryAfterMs?: number; readonly why: string }
  | Failure;

/**
 * Called with each event in the order of arrival; must not block, and must not throw. `enough` ends the stream on our
 * side: it then ends as `closed`.
 */
export type EventSink = (event: AgentEvent) => 'more' | 'enough';

export type TaskRead = { readonly kind: 'task'; readonly task: TaskSnapshot } | Failure;

export type Lookup = { readonly kind: 'found'; readonly taskId: TaskId } | { readonly kind: 'absent' } | Failure;

/**
 * One agent, as one binding reaches it. The card is fetched before the first call and kept (rule D8): a failed fetch
 * is the failure of that call, and certainly `not-sent`. No method throws or rejects; each is bounded by
 * `responseHeaders` and `streamIdle`. Retrying is the courier's: no method repeats a call by itself.
 */
export interface Agent {
  /** SendStreamingMessage. May have been done even when it fails: see `Failure`. Safe to repeat with the same `messageId` on agents that keep the contract. */
  send(message: Outgoing, sink: EventSink, options: CallOptions): Promise<StreamEnd>;
  /** SubscribeToTask. Safe to repeat. */
  subscribe(taskId: TaskId, sink: EventSink, options: CallOptions): Promise<StreamEnd>;
  /** GetTask. Safe to repeat. */
  getTask(taskId: TaskId, options: CallOptions): Promise<TaskRead>;
  /** CancelTask; the task as the agent answered it. Safe to repeat. */
  cancelTask(taskId: TaskId, options: CallOptions): Promise<TaskRead>;
  /**
   * Looks for the task whose history holds a message (rule M5), over at most 100 pages of ListTasks. An A2A 0.3 agent
   * is not asked: the answer is `absent`.
   */
  findTurn(turn: { readonly contextId: ContextId; readonly messageId: MessageId }, options: CallOptions): Promise<Lookup>;
}

/** What is known of an agent from its card. */
export interface AgentSummary {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly protocolVersion: string;
}

export interface Agents {
  /** The agent of a binding as it is configured now; `undefined` when there is no such binding. Cheap: makes no call. */
  agentFor(binding: string): Agent | undefined;
  /** From the card, when it has been fetched. Makes no call. */
  describe(binding: string): AgentSummary | undefined;
}
