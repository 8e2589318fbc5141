import type { Message } from '@agentkourier/a2a/model';
import type { AgentError, Delivery, TransportError } from './client-error.ts';
import type { KeptTask } from './kept-task.ts';

export type TerminalState = 'completed' | 'failed' | 'canceled' | 'rejected';

/** The task has ended, and will not change again. `text`: the text parts of its artifacts (never of its status). */
export interface FinishedTask {
  readonly kind: 'finished';
  readonly from: 'task';
  readonly state: TerminalState;
  readonly task: KeptTask;
  readonly text: string;
}

/** The agent answered with a bare message, and there is no task. */
export interface FinishedMessage {
  readonly kind: 'finished';
  readonly from: 'message';
  readonly state: 'completed';
  readonly message: Message;
  readonly text: string;
}

/** The task waits for its caller: over for now, and unfinished. Answer with a message that names its `taskId`. */
export interface Paused {
  readonly kind: 'paused';
  readonly state: 'input-required' | 'auth-required';
  readonly task: KeptTask;
  /** What the agent asks. */
  readonly question: Message | undefined;
  readonly text: string;
}

/** The agent answered a SendMessage before the task has ended or paused: read it again, or follow it. */
export interface Running {
  readonly kind: 'running';
  readonly task: KeptTask;
  readonly text: string;
}

/** The call ended on neither set of states (rule P2). It is no outcome of the task, which may go on. */
export interface TransportFailure {
  readonly kind: 'transport-failure';
  readonly why: string;
  /** Whether the agent has the message. Sending it again with the same `messageId` is safe where agents know that. */
  readonly delivery: Delivery;
  readonly messageId: string | undefined;
  /** What was seen of the task before, or what it looked like when it was followed no longer. */
  readonly task: KeptTask | undefined;
  readonly text: string;
  readonly error: TransportError | AgentError | undefined;
}

export type StreamResult = FinishedTask | FinishedMessage | Paused | TransportFailure;

export type SendResult = StreamResult | Running;
