import { AGENT_LIMITS } from './limits.ts';
import { listTasks } from './list-tasks.ts';
import type { LiveTask } from './live-task.ts';
import { readListParams, readSendParams, readTaskParams, type SendParams } from './params.ts';
import type { RpcRequest } from './request.ts';
import * as errors from './rpc-error.ts';
import { type ReportFailure, runTurn } from './run-turn.ts';
import type { TaskStore } from './task-store.ts';
import type { AnswerTurn } from './turn.ts';

/** How a request is answered: at once, when its task has ended, or as a stream of its task. */
export type Outcome =
  | { readonly kind: 'result'; readonly result: object }
  | { readonly kind: 'wait'; readonly task: LiveTask; readonly historyLength: number | undefined }
  | {
      readonly kind: 'stream';
      readonly task: LiveTask;
      readonly historyLength: number | undefined;
      /** To be called once the stream is open, so that its first frame is the task as it was submitted. */
      readonly start: () => void;
    };

export interface OperationsOptions {
  readonly store: TaskStore;
  readonly answer: AnswerTurn;
  readonly report: ReportFailure;
}

/** The operations of A2A 1.0. Each throws an RpcError for what it cannot do. */
export function operations({ store, answer, report }: OperationsOptions): (request: RpcRequest) => Outcome {
  const begin = (params: SendParams): { task: LiveTask; start: () => void } => {
    const known = store.ofMessage(params.message.messageId, params.contextId);
    if (known !== undefined) return { task: known, start: () => undefined };
    if (params.taskId !== undefined) refuseTask(store, params.taskId);
    if (params.contextId !== undefined && store.runsIn(params.contextId)) {
      throw errors.busy('A turn of this context is still running.', AGENT_LIMITS.retryAfterMs);
    }
    if (store.full) throw errors.busy('The agent runs as many turns as it can.', AGENT_LIMITS.retryAfterMs);
    const task = store.begin(params.message, params.contextId);
    return { task, start: () => void runTurn(task, params.text, answer, report) };
  };

  const find = (id: string): LiveTask => {
    const task = store.get(id);
    if (task === undefined) throw errors.taskNotFound();
    return task;
  };

  return ({ method, params }) => {
    switch (method) {
      case 'SendStreamingMessage': {
        const send = readSendParams(params);
        return { kind: 'stream', ...begin(send), historyLength: send.historyLength };
      }
      case 'SendMessage': {
        const send = readSendParams(params);
        const { task, start } = begin(send);
        const { historyLength } = send;
        start();
        if (!send.returnImmediately) return { kind: 'wait', task, historyLength };
        return { kind: 'result', result: { task: task.snapshot({ historyLength }) } };
      }
      case 'SubscribeToTask': {
        const task = find(readTaskParams(params).id);
        if (task.ended) throw errors.unsupported('The task has ended: read it with GetTask.');
        return { kind: 'stream', task, historyLength: undefined, start: () => undefined };
      }
      case 'GetTask': {
        const { id, historyLength } = readTaskParams(params);
        return { kind: 'result', result: find(id).snapshot({ historyLength }) };
      }
      case 'CancelTask': {
        const task = find(readTaskParams(params).id);
        task.cancel();
        // A second cancel is no error (case C061); one that came too late is.
        if (task.state !== 'TASK_STATE_CANCELED') throw errors.notCancelable();
        return { kind: 'result', result: task.snapshot() };
      }
      case 'ListTasks':
        return { kind: 'result', result: listTasks(store.all(), readListParams(params), store.sequence) };
      case 'GetExtendedAgentCard':
        throw errors.noExtendedCard();
      case 'CreateTaskPushNotificationConfig':
      case 'GetTaskPushNotificationConfig':
      case 'ListTaskPushNotificationConfigs':
      case 'DeleteTaskPushNotificationConfig':
        throw errors.pushNotSupported();
      default:
        throw errors.methodNotFound();
    }
  };
}

/** No turn of this server pauses, so that no task takes a second message; which error says why. */
function refuseTask(store: TaskStore, taskId: string): never {
  const task = store.get(taskId);
  if (task === undefined) throw errors.taskNotFound();
  if (task.ended) throw errors.unsupported('The task has ended: send a new message without its taskId.');
  throw errors.busy('The task is still running and waits for no input.', AGENT_LIMITS.retryAfterMs);
}
