import type { Status } from '../reply/agent-event.ts';
import type { Settled } from '../reply/task-state.ts';
import type { Typed } from '../request/open-request.ts';
import type { Actor, Answers, Approval } from '../thread/entry.ts';
import type { ContextId, MessageId, TaskId, TurnId } from '../thread/ids.ts';
import type { Choice, Failure, Lookup, StreamEnd } from './call-outcome.ts';

/** What happened to a turn. Time and chance come with the event, because the core has neither. */
export type TurnEvent = {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  /** In [0, 1): for the jitter of a back-off. */
  readonly chance: number;
} & (
  | { readonly kind: 'turn-taken'; readonly turn: NewTurn }
  /** A courier has taken up a thread whose last one stopped or died. */
  | { readonly kind: 'taken-up' }
  /** The stream named its task or context. */
  | { readonly kind: 'named'; readonly taskId?: TaskId; readonly contextId?: ContextId }
  /** There are new pieces of the answer, or steps that began or ended: their entries take their place in the timeline. */
  | { readonly kind: 'reply-grew' }
  /** The stream said that its task is paused (decision 2). */
  | { readonly kind: 'paused'; readonly status: Status }
  /** A person answered the open request; the answer has been checked. */
  | {
      readonly kind: 'answer-given';
      readonly actor: Actor;
      readonly answers: Answers;
      readonly approvals: readonly Approval[];
      /** Names the actor in a text answer (decision 15). */
      readonly prefix: string;
    }
  /** Somebody who may not decide answered the open request: it stays as it is, and on record (case C098). */
  | { readonly kind: 'answer-refused'; readonly actor: Actor }
  /** A message came while a request is open (decision 14). */
  | { readonly kind: 'typed'; readonly typed: Typed }
  | { readonly kind: 'stream-ended'; readonly end: StreamEnd; readonly reply: ReplySeen; readonly lifeAtMs?: number }
  | { readonly kind: 'task-read'; readonly read: Failure | TaskSeen; readonly reply: ReplySeen }
  | { readonly kind: 'chosen'; readonly choice: Choice }
  | { readonly kind: 'looked-up'; readonly lookup: Lookup }
  | { readonly kind: 'cancel-answered'; readonly read: Failure | TaskSeen; readonly reply: ReplySeen }
  | { readonly kind: 'woke' }
  /** `turn`: the one that was seen to be under way, so that no later one is stopped instead; absent while the first begins. */
  | { readonly kind: 'stop-asked'; readonly turn?: TurnId }
);

export interface NewTurn {
  readonly id: TurnId;
  readonly messageId: MessageId;
  readonly text: string;
  /** What was written, without what `text` adds to it. */
  readonly words: string;
  readonly actor?: Actor;
  readonly traceId: string;
  readonly acceptedAtMs: number;
}

/** What a reply has come to, as far as a decision needs it. */
export interface ReplySeen {
  readonly taskId?: TaskId;
  readonly contextId?: ContextId;
  readonly settled?: Settled;
  /** It was a bare message. */
  readonly message: boolean;
  /** An answer was replied to with a message alone (rule R11). */
  readonly answeredByMessage?: boolean;
  /** Since the answer went out, the agent has said more than that it still waits. */
  readonly moved?: boolean;
  readonly heard: boolean;
  readonly hasText: boolean;
  readonly overLimit: boolean;
}

/** A task that was read; its texts and state are in the reply. */
export interface TaskSeen {
  readonly kind: 'task';
  readonly status: Status;
  /** Differs when anything of the task differs: a task that moves lives (decision 8). */
  readonly fingerprint: string;
}
