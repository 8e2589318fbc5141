import { isPaused } from '../reply/task-state.ts';
import { NOTICES } from '../thread/notice.ts';
import { backOffMs, retryBackOff } from './back-off.ts';
import type { Failure, Lookup } from './call-outcome.ts';
import { afterStream } from './decide-follow.ts';
import { isRefusal, settleRefused } from './decide-refused.ts';
import { settleBy } from './decide-settled.ts';
import { type Case, type Decision, goOn, overLimit, settle, takeStep } from './decision.ts';
import type { TurnEvent } from './event.ts';
import type { Step, Turn } from './turn.ts';

type StreamEnded = Extract<TurnEvent, { kind: 'stream-ended' }>;
type Wait = Extract<Step, { kind: 'wait' }>;

/** A send has ended: with the whole turn, with a task to go on with, or with nothing (rules R1, R2, R5, R6, R10). */
export function afterSend(of: Case, { end, reply, lifeAtMs }: StreamEnded): Decision {
  if (reply.overLimit) return overLimit(of);
  if (reply.message) {
    return reply.hasText ? settle(of, 'completed') : settle(of, 'no-output', [NOTICES.noOutput]);
  }
  if (reply.settled && (reply.settled.full || isPaused(reply.settled.status.state)))
    return settleBy(of, reply.settled, reply);
  if (of.turn.taskId !== undefined)
    return afterStream(of, { end, reply, ...(lifeAtMs === undefined ? {} : { lifeAtMs }) });
  if (reply.heard) return settle(of, 'request-failed', [NOTICES.requestFailed]);
  return afterSilence(of, end.kind === 'closed' || end.kind === 'cut' ? { kind: 'unknown', why: end.kind } : end);
}

/** The agent said nothing that could be a reply. */
function afterSilence(of: Case, failure: Failure): Decision {
  if (of.turn.stopping) return settle(of, 'canceled', [NOTICES.notSent]);
  if (isRefusal(failure)) return settleRefused(of, failure);
  switch (failure.kind) {
    case 'too-large':
      return overLimit(of);
    case 'busy':
      return busy(of, failure.retryAfterMs);
    case 'not-sent':
      return tryAgain(of, { kind: 'send' }, failure);
    case 'unknown':
      return tryAgain(of, of.thread.contextId === undefined ? { kind: 'send' } : { kind: 'look-up' }, failure);
    default:
      return settle(of, 'request-failed', [NOTICES.requestFailed]);
  }
}

export function afterLookup(of: Case, lookup: Lookup): Decision {
  if (isRefusal(lookup)) return settleRefused(of, lookup);
  switch (lookup.kind) {
    case 'found':
      return goOn(of, {
        ...of.turn,
        taskId: lookup.taskId,
        failures: 0,
        lifeAtMs: of.atMs,
        step: { kind: 'read', final: false },
      });
    case 'absent':
      if (of.turn.stopping) return settle(of, 'canceled', [NOTICES.notSent]);
      return takeStep(of, { kind: 'send' });
    default:
      if (of.turn.stopping) return settle(of, 'canceled', [NOTICES.notSent]);
      return tryAgain(of, { kind: 'look-up' }, lookup);
  }
}

/** A send or look-up that failed is made again after a back-off, and given up after `giveUpAfter` (rules D2, M5, R1, E5, E6). */
function tryAgain(of: Case, then: Wait['then'], failure: Failure): Decision {
  const { turn, timings, atMs } = of;
  const troubleSinceMs = turn.troubleSinceMs ?? atMs;
  if (atMs - troubleSinceMs >= timings.giveUpAfterMs) return giveUp(of);
  const asked = 'retryAfterMs' in failure ? (failure.retryAfterMs ?? 0) : 0;
  const backOff = backOffMs(turn.failures, retryBackOff(timings), of.chance);
  // No wait goes past the moment of giving up, whatever the agent asks for: the thread is told in time.
  const untilMs = Math.min(atMs + Math.max(backOff, asked), troubleSinceMs + timings.giveUpAfterMs);
  const waiting: Turn = { ...turn, troubleSinceMs, failures: turn.failures + 1, step: { kind: 'wait', untilMs, then } };
  return { ...goOn(of, waiting), retry: failure.kind };
}

const giveUp = (of: Case): Decision => settle(of, 'unreachable', [NOTICES.unreachable]);

/** The same message again, for as long as it takes; the agent answers, so nothing counts towards giving up (rule E3, decision 3). */
function busy(of: Case, retryAfterMs = 0): Decision {
  const { troubleSinceMs: _, ...turn } = of.turn;
  const delayMs = Math.max(backOffMs(turn.failures, retryBackOff(of.timings), of.chance), retryAfterMs);
  const step: Step = { kind: 'wait', untilMs: of.atMs + delayMs, then: { kind: 'send' } };
  const waiting: Turn = { ...turn, busySinceMs: turn.busySinceMs ?? of.atMs, failures: turn.failures + 1, step };
  return { ...tellBusy({ ...of, turn: waiting }), retry: 'busy' };
}

function tellBusy(of: Case): Decision {
  const dueMs = busyNoticeDueMs(of.turn, of.timings.busyNoticeAfterMs);
  if (dueMs === undefined || of.atMs < dueMs) return goOn(of, of.turn);
  return goOn(of, { ...of.turn, busyTold: true }, [NOTICES.busy]);
}

const busyNoticeDueMs = (turn: Turn, afterMs: number): number | undefined =>
  turn.busySinceMs === undefined || turn.busyTold ? undefined : turn.busySinceMs + afterMs;

/** When a waiting turn wants to be woken: at the end of its wait, or earlier to tell that the agent is busy. */
export function nextWakeMs(turn: Turn, busyNoticeAfterMs: number): number | undefined {
  if (turn.step.kind !== 'wait') return undefined;
  return Math.min(turn.step.untilMs, busyNoticeDueMs(turn, busyNoticeAfterMs) ?? Number.POSITIVE_INFINITY);
}

export function wake(of: Case, { untilMs, then }: Wait): Decision {
  const told = tellBusy(of);
  if (of.atMs < untilMs) return told;
  const { troubleSinceMs } = of.turn;
  const gaveUp = troubleSinceMs !== undefined && of.atMs - troubleSinceMs >= of.timings.giveUpAfterMs;
  if (gaveUp && (then.kind === 'send' || then.kind === 'look-up')) return giveUp(of);
  return takeStep({ ...of, turn: told.thread.turn ?? of.turn }, then, told.notices);
}
