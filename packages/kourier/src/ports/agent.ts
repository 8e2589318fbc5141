import type { AgentEvent } from '../core/reply/agent-event.ts';
import type { Actor } from '../core/thread/entry.ts';
import type { AgentId, ContextId, MessageId, TaskId } from '../core/thread/ids.ts';
import type { Choice, Lookup, StreamEnd, TaskRead } from '../core/turn/call-outcome.ts';

export type { Choice, Failure, Lookup, StreamEnd, TaskRead } from '../core/turn/call-outcome.ts';

/** What is sent: one user message with one text part (rule S1). */
export interface Outgoing {
  readonly messageId: MessageId;
  readonly text: string;
  readonly contextId?: ContextId;
  /** Only on an answer, to the paused task (rule S4). */
  readonly taskId?: TaskId;
  /** Only on an answer to a structured request: an extension's payload, named in `extensions` and in the header (rules S8, Q8). */
  readonly extension?: { readonly uri: string; readonly payload: Readonly<Record<string, unknown>> };
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
 * Called with each event in the order of arrival; must not block, and must not throw. `enough` ends the stream on our
 * side: it then ends as `closed`.
 */
export type EventSink = (event: AgentEvent) => 'more' | 'enough';

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
  findTurn(
    turn: { readonly contextId: ContextId; readonly messageId: MessageId },
    options: CallOptions,
  ): Promise<Lookup>;
}

/** What is known of an agent from its card. */
export interface AgentSummary {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly protocolVersion: string;
}

export interface Agents {
  /**
   * The agent of a binding as it is configured now; of one that names a Space, the agent that was chosen. `undefined` when
   * there is no such binding, or nobody was chosen. Cheap: makes no call.
   */
  agentFor(binding: string, chosen?: AgentId): Agent | undefined;
  /**
   * Who of a binding's Space takes a thread that begins with `words`. Sends nobody anything, so it is safe to repeat; the
   * answer may be another the next time, so it is committed before it is used. Every failure but `credentials` is
   * `not-sent`. Neither throws nor rejects, and is bounded by `responseHeaders`.
   */
  choose(binding: string, words: string, options: CallOptions): Promise<Choice>;
  /** From the card, when it has been fetched; of a binding whose threads may have several agents, never. Makes no call. */
  describe(binding: string): AgentSummary | undefined;
}
