import type { Status, TaskState } from '../reply/agent-event.ts';
import { failureCategory } from '../reply/category.ts';
import { isPaused, type Settled } from '../reply/task-state.ts';
import { NOTICES, taskFailed } from '../thread/notice.ts';
import { pause } from './decide-request.ts';
import { type Case, type Decision, settle } from './decision.ts';
import type { ReplySeen } from './event.ts';
import type { CancelCause } from './turn.ts';

/** The task's state is the last word: the turn ends, or a pause is acted on (rules Q1, Q2). */
export function settleBy(of: Case, settled: Settled, reply: Pick<ReplySeen, 'hasText'>, cause?: CancelCause): Decision {
  const { status } = settled;
  if (isPaused(status.state)) return pause(of, status);
  switch (status.state) {
    case 'completed':
      return reply.hasText ? settle(of, 'completed') : settle(of, 'no-output', [NOTICES.noOutput]);
    case 'rejected':
      return settle(of, 'rejected', [NOTICES.taskRejected]);
    case 'canceled':
      return settleCanceled(of, cause);
    default:
      return settleFailed(of, status);
  }
}

/** By a state that the agent has said and its store does not show. */
export function settleAs(of: Case, state: TaskState): Decision {
  return settleBy(of, { status: { state, codes: [] }, full: true }, of);
}

function settleFailed(of: Case, status: Status): Decision {
  return settle(of, 'failed', [taskFailed(failureCategory(status))]);
}

/** A cancel of our own has been told when it was decided. */
function settleCanceled(of: Case, cause: CancelCause | undefined): Decision {
  switch (cause) {
    case 'pause':
      return settle(of, 'pause-unusable');
    case 'limit':
      return settle(of, 'limit-exceeded');
    case 'request':
      return settle(of, 'canceled');
    case 'lifeless':
      return settle(of, 'canceled', [NOTICES.lifeless]);
    default:
      return settle(of, 'canceled', [NOTICES.taskCanceled]);
  }
}
