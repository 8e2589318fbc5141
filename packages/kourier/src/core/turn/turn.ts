import type { TaskState } from '../reply/agent-event.ts';
import type { Answering, OpenRequest, Typed } from '../request/open-request.ts';
import type { Actor } from '../thread/entry.ts';
import type { MessageId, TaskId, TurnId } from '../thread/ids.ts';

/** One message on its way to the agent and back, from taken to settled. Plain JSON: it is committed as it is. */
export interface Turn {
  readonly id: TurnId;
  /** Fixed for the chat message; every re-send carries it (rule S2). */
  readonly messageId: MessageId;
  /** As sent, with prefix and untrusted blocks: fixed when the turn begins, so that a re-send says the same. */
  readonly text: string;
  readonly actor?: Actor;
  readonly traceId: string;
  /** When its message was accepted. */
  readonly acceptedAtMs: number;
  /** What is owed next. */
  readonly step: Step;
  /** The recorded task: from its first event on the turn is followed and never sent again. */
  readonly taskId?: TaskId;
  /** Failures in a row: sizes the next back-off. */
  readonly failures: number;
  /** When the failures began that `giveUpAfter` counts from. Milliseconds since the epoch, like every `…Ms` here. */
  readonly troubleSinceMs?: number;
  readonly busySinceMs?: number;
  readonly busyTold?: true;
  /** The last event about the task (decision 8). */
  readonly lifeAtMs: number;
  /** What the last snapshot said, to tell a task that moves from one that stands still. */
  readonly lastSeen?: string;
  /** The agent has no SubscribeToTask: its task is read until it ends (rule M3). */
  readonly noSubscribe?: true;
  /** A subscription said -32001: the next read decides (decision 5). */
  readonly doubted?: true;
  /** A terminal status that the agent's store does not show yet: never taken back (case C058). */
  readonly ended?: TaskState;
  /** What the task waits for. Kept until the agent has taken the answer. */
  readonly request?: OpenRequest;
  /** An answer that is owed to the agent. */
  readonly answering?: Answering;
  /** How many answers have been given in this turn: each has an id of its own (rule S2). */
  readonly answers?: number;
  /** What each pause of this turn said, by its name: a name that comes again with other words cannot be shown (rule Q3). */
  readonly asked?: Readonly<Record<string, string>>;
  /** That a cancel failed has been told. */
  readonly cancelTold?: true;
  /** Someone asked to stop before there was a task to cancel. */
  readonly stopping?: true;
}

/** What is owed next. A step is committed before it is performed, and performed again after a crash. */
export type Step =
  /** The Space is asked who answers the thread, whose first message says `words`. Nobody has been sent anything yet. */
  | { readonly kind: 'choose'; readonly words: string }
  | { readonly kind: 'send' }
  | { readonly kind: 'look-up' }
  /** GetTask. `final`: the one read at once after a clean end, taken as the last word (rule R6). */
  | { readonly kind: 'read'; readonly final: boolean }
  | { readonly kind: 'subscribe' }
  /** A person's word is awaited; nothing is performed. */
  | { readonly kind: 'ask'; readonly untilMs: number }
  /** GetTask before an answer is sent: does the task still wait for it (rules M2, T5)? */
  | { readonly kind: 'check-answer' }
  /** GetTask before a typed message is taken as the answer (decision 14). */
  | { readonly kind: 'check-typed'; readonly typed: Typed }
  /** Sends the answer. */
  | { readonly kind: 'answer' }
  | { readonly kind: 'cancel'; readonly cause: CancelCause; readonly attempt: number }
  /** GetTask after a failed cancel (rule M2). */
  | { readonly kind: 'check-cancel'; readonly cause: CancelCause; readonly attempt: number }
  | {
      readonly kind: 'wait';
      readonly untilMs: number;
      readonly then: Exclude<Step, { readonly kind: 'wait' | 'ask' }>;
    };

/** `request`: a question that expired, is not allowed, or whose answer the agent rejected. */
export type CancelCause = 'stop' | 'lifeless' | 'pause' | 'limit' | 'request';
