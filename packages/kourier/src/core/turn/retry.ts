import { NOTICES } from '../thread/notice.ts';
import { backOffMs, retryBackOff } from './back-off.ts';
import type { Failure } from './call-outcome.ts';
import { type Case, type Decision, goOn } from './decision.ts';
import type { Step, Turn } from './turn.ts';

export type Wait = Extract<Step, { kind: 'wait' }>;

/** A send or look-up that failed is made again after a back-off, and given up after `giveUpAfter` (rules D2, M5, R1, E5, E6). */
export function tryAgain(of: Case, then: Wait['then'], failure: Failure, giveUp: (of: Case) => Decision): Decision {
  const { turn, timings, atMs } = of;
  const troubleSinceMs = turn.troubleSinceMs ?? atMs;
  if (isGivenUp(of)) return giveUp(of);
  const asked = 'retryAfterMs' in failure ? (failure.retryAfterMs ?? 0) : 0;
  const backOff = backOffMs(turn.failures, retryBackOff(timings), of.chance);
  // No wait goes past the moment of giving up, whatever the agent asks for: the thread is told in time.
  const untilMs = Math.min(atMs + Math.max(backOff, asked), troubleSinceMs + timings.giveUpAfterMs);
  const waiting: Turn = { ...turn, troubleSinceMs, failures: turn.failures + 1, step: { kind: 'wait', untilMs, then } };
  return { ...goOn(of, waiting), retry: failure.kind };
}

/** There has been trouble for `giveUpAfter`. */
export const isGivenUp = ({ turn: { troubleSinceMs }, timings, atMs }: Case): boolean =>
  troubleSinceMs !== undefined && atMs - troubleSinceMs >= timings.giveUpAfterMs;

/** The same message again, for as long as it takes; the agent answers, so nothing counts towards giving up (rule E3, decision 3). */
export function busy(of: Case, then: Wait['then'], retryAfterMs = 0): Decision {
  const { troubleSinceMs: _, ...turn } = of.turn;
  const delayMs = Math.max(backOffMs(turn.failures, retryBackOff(of.timings), of.chance), retryAfterMs);
  const step: Step = { kind: 'wait', untilMs: of.atMs + delayMs, then };
  const waiting: Turn = { ...turn, busySinceMs: turn.busySinceMs ?? of.atMs, failures: turn.failures + 1, step };
  return { ...tellBusy({ ...of, turn: waiting }), retry: 'busy' };
}

export function tellBusy(of: Case): Decision {
  const dueMs = busyNoticeDueMs(of.turn, of.timings.busyNoticeAfterMs);
  if (dueMs === undefined || of.atMs < dueMs) return goOn(of, of.turn);
  return goOn(of, { ...of.turn, busyTold: true }, [NOTICES.busy]);
}

export const busyNoticeDueMs = (turn: Turn, afterMs: number): number | undefined =>
  turn.busySinceMs === undefined || turn.busyTold ? undefined : turn.busySinceMs + afterMs;
