import { NOTICES, type Notice } from '../thread/notice.ts';
import type { Thread } from '../thread/thread.ts';
import type { Timings } from '../timings.ts';
import type { Step, Turn } from './turn.ts';

/**
 * What follows from an event. The turn's step is the command: it is committed with everything else here and performed
 * only then. Without a turn, nothing is owed.
 */
export interface Decision {
  readonly thread: Thread;
  readonly notices: readonly Notice[];
  /** How the turn ended, when it did. */
  readonly outcome?: Outcome;
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

/** A turn, the thread that it stands in, and what the event brought. */
export interface Case {
  readonly thread: Thread;
  readonly turn: Turn;
  readonly timings: Timings;
  readonly atMs: number;
  readonly chance: number;
  /** The answer has text. */
  readonly hasText: boolean;
}

export function goOn({ thread }: Case, turn: Turn, notices: readonly Notice[] = []): Decision {
  return { thread: { ...thread, turn }, notices };
}

export function takeStep(of: Case, step: Step, notices: readonly Notice[] = []): Decision {
  return goOn(of, { ...of.turn, step }, notices);
}

/** The turn is over: its thread is free for the next one. */
export function settle({ thread }: Case, outcome: Outcome, notices: readonly Notice[] = []): Decision {
  const { turn: _, ...rest } = thread;
  return { thread: rest, notices, outcome };
}

/** The agent no longer has the task, or the conversation with it: the next turn starts a new context (rule E4). */
export function settleGone(of: Case): Decision {
  const { contextId: _, ...thread } = of.thread;
  return settle({ ...of, thread }, 'session-gone', [NOTICES.sessionGone]);
}

export function cancelFirst(
  of: Case,
  turn: Turn,
  cause: 'stop' | 'lifeless' | 'pause' | 'limit',
  notices: readonly Notice[],
): Decision {
  return goOn(of, { ...turn, step: { kind: 'cancel', cause, attempt: 0 } }, notices);
}

/** Past `LIMITS`: the thread is told, and a task that is known is cancelled. */
export function overLimit(of: Case): Decision {
  if (of.turn.taskId === undefined) return settle(of, 'limit-exceeded', [NOTICES.limitExceeded]);
  return cancelFirst(of, of.turn, 'limit', [NOTICES.limitExceeded]);
}
