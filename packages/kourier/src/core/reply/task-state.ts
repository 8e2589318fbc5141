import type { Status, TaskState } from './agent-event.ts';

export type PausedState = 'input-required' | 'auth-required';

/** `unknown` is not among them: it is terminal only where the agent marks it as final (rule Q1). */
export const isTerminal = (state: TaskState): boolean =>
  state === 'completed' || state === 'failed' || state === 'canceled' || state === 'rejected';

export const isRunning = (state: TaskState): boolean => state === 'submitted' || state === 'working';

export const isPaused = (state: TaskState): state is PausedState =>
  state === 'input-required' || state === 'auth-required';

/** A state in which a stream may end: the task is over or waits for the client (rule R5). */
export interface Settled {
  readonly status: Status;
  /** It came as a whole task, so that no GetTask is needed. */
  readonly full: boolean;
}
