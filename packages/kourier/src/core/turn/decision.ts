import type { AuditRecord } from '../request/audit-record.ts';
import type { Dialect } from '../request/pause.ts';
import type { RequestEntry } from '../thread/entry.ts';
import type { EntryId } from '../thread/ids.ts';
import { NOTICES, type Notice } from '../thread/notice.ts';
import type { Thread } from '../thread/thread.ts';
import type { Timings } from '../timings.ts';
import { closing } from './closing.ts';
import type { CancelCause, Step, Turn } from './turn.ts';

/**
 * What follows from an event. The turn's step is the command: it is committed with everything else here and performed
 * only then. Without a turn, nothing is owed.
 */
export interface Decision {
  readonly thread: Thread;
  readonly notices: readonly Notice[];
  /** How the turn ended, when it did. */
  readonly outcome?: Outcome;
  /** Requests that opened or changed, in their order; they stand before the notices. */
  readonly requests?: readonly RequestEntry[];
  readonly audit?: readonly AuditRecord[];
  /** Messages that were taken as an answer. */
  readonly taken?: readonly EntryId[];
  /** A back-off began, and why: for the log and the metrics. */
  readonly retry?: string;
}

export type Outcome =
  | 'completed'
  | 'no-output'
  | 'failed'
  | 'rejected'
  | 'canceled'
  | 'unreachable'
  | 'refused'
  | 'request-failed'
  | 'session-gone'
  | 'pause-unusable'
  | 'limit-exceeded'
  | 'cancel-failed';

/** What holds for a thread: the waits, and what its binding allows. */
export interface Rules {
  readonly timings: Timings;
  readonly dialect: Dialect;
  /** The binding names a Space: a thread that has no agent yet gets one before anything is sent. */
  readonly choosesAgent: boolean;
  /** Absent: not allowed (rules M4, Q9). */
  readonly interactions: {
    readonly questions?: { readonly timeoutMs: number };
    readonly toolApprovals?: { readonly timeoutMs: number; readonly approvers?: readonly string[] };
  };
}

/** A turn, the thread that it stands in, and what the event brought. */
export interface Case extends Rules {
  readonly thread: Thread;
  readonly turn: Turn;
  readonly atMs: number;
  readonly chance: number;
  /** The answer has text. */
  readonly hasText: boolean;
}

export function withoutRequest({ request: _, answering: __, ...turn }: Turn): Turn {
  return turn;
}

export function goOn({ thread }: Case, turn: Turn, notices: readonly Notice[] = []): Decision {
  return { thread: { ...thread, turn }, notices };
}

export function takeStep(of: Case, step: Step, notices: readonly Notice[] = []): Decision {
  return goOn(of, { ...of.turn, step }, notices);
}

/** The turn is over: its thread is free for the next one. A request that is open still can no longer be answered. */
export function settle(of: Case, outcome: Outcome, notices: readonly Notice[] = []): Decision {
  const { turn: _, ...thread } = of.thread;
  return { thread, notices, outcome, ...closing(of) };
}

/** The agent no longer has the task, or the conversation with it: the next turn starts a new context (rule E4). */
export function settleGone(of: Case): Decision {
  const { contextId: _, ...thread } = of.thread;
  return settle({ ...of, thread }, 'session-gone', [NOTICES.sessionGone]);
}

/** Whatever was asked is void, because its task will not go on. */
export function cancelFirst(of: Case, cause: CancelCause, notices: readonly Notice[]): Decision {
  const step: Step = { kind: 'cancel', cause, attempt: 0 };
  return { ...goOn(of, { ...withoutRequest(of.turn), step }, notices), ...closing(of) };
}

/** Past `LIMITS`: the thread is told, and a task that is known is cancelled. */
export function overLimit(of: Case): Decision {
  if (of.turn.taskId === undefined) return settle(of, 'limit-exceeded', [NOTICES.limitExceeded]);
  return cancelFirst(of, 'limit', [NOTICES.limitExceeded]);
}
