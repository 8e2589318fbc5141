import type { ThreadStatus } from './entry.ts';
import type { Thread } from './thread.ts';

/** What a thread shows of its turn: an open request waits for a person, a send that stands behind a back-off is queued, everything else is under way. */
export function threadStatus({ turn }: Thread): ThreadStatus {
  if (!turn) return 'idle';
  if (turn.request?.entry.state === 'open') return 'waiting';
  return turn.step.kind === 'wait' && turn.taskId === undefined ? 'queued' : 'running';
}
