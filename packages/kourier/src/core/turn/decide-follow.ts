import { isPaused, isRunning } from '../reply/task-state.ts';
import { backOffMs, followBackOff } from './back-off.ts';
import type { Failure } from './call-outcome.ts';
import { isRefusal, settleRefused } from './decide-refused.ts';
import { awaitPerson } from './decide-request.ts';
import { settleAs, settleBy } from './decide-settled.ts';
import { type Case, cancelFirst, type Decision, goOn, overLimit, settleGone } from './decision.ts';
import type { TurnEvent } from './event.ts';
import type { Step, Turn } from './turn.ts';

type StreamEnded = Extract<TurnEvent, { kind: 'stream-ended' }>;
type TaskRead = Extract<TurnEvent, { kind: 'task-read' }>;

/**
 * A stream broke off, or ended before its task did: GetTask after `streamDropDelay`, later with a back-off that starts
 * anew with every sign of life (rules R5, R7). `lifeAtMs` is the last event that the stream brought, if any; from the
 * loss of a stream that brought one the time without life counts (rule M4), however long nobody could hear it.
 */
export function dropped(of: Case, lifeAtMs: number | undefined, retryAfterMs = 0): Decision {
  const alive = lifeAtMs !== undefined && lifeAtMs >= of.turn.lifeAtMs;
  const turn: Turn = alive ? { ...of.turn, lifeAtMs: of.atMs, failures: 0 } : of.turn;
  return later({ ...of, turn }, { kind: 'read', final: false }, retryAfterMs, 'stream-dropped');
}

/** A stream about a known task has ended without the whole task (rules R5, R6); a pause has been acted on already. */
export function afterStream(
  of: Case,
  { end, reply, lifeAtMs }: Omit<StreamEnded, 'kind' | 'atMs' | 'chance'>,
): Decision {
  const { settled } = reply;
  const isPause = settled !== undefined && isPaused(settled.status.state);
  const turn: Turn = settled && !isPause ? { ...of.turn, ended: settled.status.state } : of.turn;
  if (settled && (isPause || end.kind === 'closed')) return goOn(of, { ...turn, step: { kind: 'read', final: true } });
  const retryAfterMs = end.kind === 'cut' ? end.retryAfterMs : undefined;
  return dropped({ ...of, turn }, lifeAtMs, retryAfterMs);
}

export function afterSubscription(of: Case, event: StreamEnded): Decision {
  const { end, reply } = event;
  if (reply.overLimit) return overLimit(of);
  if (reply.settled?.full) return settleBy(of, reply.settled, reply);
  switch (end.kind) {
    case 'closed':
    case 'cut':
      return afterStream(of, event);
    case 'not-found':
      return goOn(of, { ...of.turn, doubted: true, step: { kind: 'read', final: false } });
    case 'unsupported':
      return later(
        { ...of, turn: { ...of.turn, noSubscribe: true } },
        { kind: 'read', final: false },
        0,
        'no-subscribe',
      );
    default:
      return afterFailure(of, end);
  }
}

/** GetTask was answered: the task has settled, or is followed on (rules M2, M3, R6). */
export function afterRead(of: Case, { read, reply }: TaskRead, final: boolean): Decision {
  if (reply.overLimit) return overLimit(of);
  if (read.kind === 'not-found' && !final) return settleGone(of);
  if (read.kind !== 'task') return afterFailedRead(of, read, final);
  if (reply.settled?.full) return settleBy(of, reply.settled, reply);
  if (of.turn.ended !== undefined && !isRunning(read.status.state)) return settleAs(of, of.turn.ended);
  if (of.turn.doubted) return settleGone(of);
  const moved = read.fingerprint !== of.turn.lastSeen;
  const turn: Turn = moved ? { ...of.turn, lastSeen: read.fingerprint, lifeAtMs: of.atMs, failures: 0 } : of.turn;
  const seen: Case = { ...of, turn };
  if (isLifeless(seen)) return giveUpOn(seen);
  if (final) return dropped(seen, undefined);
  if (turn.noSubscribe) return later(seen, { kind: 'read', final: false }, 0, 'no-subscribe');
  return goOn(seen, { ...turn, step: { kind: 'subscribe' } });
}

/** A request that is open already needs no task to be answered. */
function afterFailedRead(of: Case, failure: Failure, final: boolean): Decision {
  if (isFinal(failure)) return afterFailure(of, failure);
  const { request } = of.turn;
  if (request?.entry.state === 'open') return awaitPerson(of, request, false);
  return final ? dropped(of, undefined) : afterFailure(of, failure);
}

const isFinal = (failure: Failure): boolean => isRefusal(failure) || failure.kind === 'too-large';

/** A call failed while the task was followed: it is made again with a back-off; the turn is not sent again. */
function afterFailure(of: Case, failure: Failure): Decision {
  if (isRefusal(failure)) return settleRefused(of, failure);
  if (failure.kind === 'too-large') return overLimit(of);
  const retryAfterMs = 'retryAfterMs' in failure ? failure.retryAfterMs : 0;
  return later(of, { kind: 'read', final: false }, retryAfterMs, failure.kind);
}

/** Waits, but not past the moment at which a task without a sign of life is given up (rule M4). */
function later(
  of: Case,
  then: Extract<Step, { kind: 'read' }>,
  retryAfterMs: number | undefined,
  reason: string,
): Decision {
  if (isLifeless(of)) return giveUpOn(of);
  const { turn, timings, atMs } = of;
  const backOff =
    turn.failures === 0 ? timings.streamDropDelayMs : backOffMs(turn.failures - 1, followBackOff(timings), of.chance);
  const untilMs = Math.min(atMs + Math.max(backOff, retryAfterMs ?? 0), turn.lifeAtMs + timings.lifelessAfterMs);
  const step: Step = { kind: 'wait', untilMs, then };
  return { ...goOn(of, { ...turn, failures: turn.failures + 1, step }), retry: reason };
}

const isLifeless = ({ turn, timings, atMs }: Case): boolean => atMs - turn.lifeAtMs >= timings.lifelessAfterMs;

/** A task that said it had ended is taken at its word, whatever its store shows (case C058); any other is cancelled. */
function giveUpOn(of: Case): Decision {
  if (of.turn.ended !== undefined) return settleAs(of, of.turn.ended);
  return cancelFirst(of, 'lifeless', []);
}
