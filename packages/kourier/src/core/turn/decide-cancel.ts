import { isTerminal } from '../reply/task-state.ts';
import { NOTICES } from '../thread/notice.ts';
import { backOffMs, retryBackOff } from './back-off.ts';
import { isRefusal, settleRefused } from './decide-refused.ts';
import { settleBy } from './decide-settled.ts';
import { type Case, cancelFirst, type Decision, goOn, settle, settleGone, takeStep } from './decision.ts';
import type { ReplySeen, TurnEvent } from './event.ts';
import type { Step, Turn } from './turn.ts';

type Cancel = Extract<Step, { kind: 'cancel' }>;
type CancelCheck = Extract<Step, { kind: 'check-cancel' }>;

/** Someone wants the turn stopped: its task is cancelled, or the message is taken back before it is sent again. */
export function stop(of: Case): Decision | undefined {
  const { turn } = of;
  // A cancel that waits to be made again keeps its cause: what it has told must not be told again.
  const owed = turn.step.kind === 'wait' ? turn.step.then : turn.step;
  if (owed.kind === 'cancel' || owed.kind === 'check-cancel') return undefined;
  if (turn.taskId !== undefined) return cancelFirst(of, 'stop', []);
  if (turn.step.kind === 'wait' || turn.step.kind === 'choose') return settle(of, 'canceled', [NOTICES.notSent]);
  return turn.stopping ? undefined : goOn(of, { ...turn, stopping: true });
}

/** The state that the agent answered decides; an answer that shows no end is a failed cancel, and the task is read (rule M2). */
export function afterCancel(
  of: Case,
  { read, reply }: Extract<TurnEvent, { kind: 'cancel-answered' }>,
  step: Cancel,
): Decision {
  if (isRefusal(read)) return settleRefused(of, read);
  if (read.kind === 'task' && hasEnded(reply)) return settleBy(of, reply.settled, reply, step.cause);
  return takeStep(of, { kind: 'check-cancel', cause: step.cause, attempt: step.attempt });
}

/** GetTask after a failed cancel: the task may have ended by itself (case C061); else the cancel is made again, a few times. */
export function afterCancelCheck(
  of: Case,
  { read, reply }: Extract<TurnEvent, { kind: 'task-read' }>,
  step: CancelCheck,
): Decision {
  if (read.kind === 'not-found') return settleGone(of);
  if (isRefusal(read)) return settleRefused(of, read);
  if (read.kind === 'task' && hasEnded(reply)) return settleBy(of, reply.settled, reply, step.cause);
  const attempt = step.attempt + 1;
  if (attempt >= of.timings.cancelAttempts) return cancelFailed(of, step);
  const untilMs = of.atMs + backOffMs(step.attempt, retryBackOff(of.timings), of.chance);
  return {
    ...takeStep(of, { kind: 'wait', untilMs, then: { kind: 'cancel', cause: step.cause, attempt } }),
    retry: 'cancel',
  };
}

const hasEnded = (reply: ReplySeen): reply is ReplySeen & { settled: NonNullable<ReplySeen['settled']> } =>
  reply.settled !== undefined && (isTerminal(reply.settled.status.state) || reply.settled.status.state === 'unknown');

/**
 * Told, once. A task that a person wanted stopped still runs, so it is followed on; any other turn ends here (rule M4),
 * also one whose stop has failed before. What is new then is why it ends: only of a lifeless agent has that not been told
 * when the cancel was decided.
 */
function cancelFailed(of: Case, { cause }: CancelCheck): Decision {
  const { turn, atMs } = of;
  const untold = cause === 'lifeless' ? [NOTICES.unreachable] : [];
  if (cause !== 'stop') return settle(of, 'cancel-failed', turn.cancelTold ? untold : [NOTICES.cancelFailed]);
  const followed: Turn = {
    ...turn,
    cancelTold: true,
    failures: 0,
    lifeAtMs: atMs,
    step: { kind: 'read', final: false },
  };
  return goOn(of, followed, turn.cancelTold ? [] : [NOTICES.cancelFailed]);
}
