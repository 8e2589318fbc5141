import type { JsonObject } from '@agentkourier/a2a/json-value';
import { skillsOf } from '../agent/agent-card.ts';
import type { Caller } from '../agent/interrupts.ts';
import { refusedType } from '../agent/read-message.ts';
import type { AgentDefinition, Skill } from '../agent/turn.ts';
import { AGENT_LIMITS } from '../limits.ts';
import type { PushDesk } from '../push/push-desk.ts';
import { pushOperation } from '../push/push-operations.ts';
import * as errors from '../rpc-error.ts';
import type { Taken, TaskDesk } from '../run/task-desk.ts';
import { type Awaitable, type ListedTasks, type TaskStore, UnknownPageToken } from '../store/task-store.ts';
import { printTask, type TaskRecord } from '../task/task-record.ts';
import { isEnded } from '../task/wire.ts';
import { type ListParams, readListParams, readSendParams, readTaskParams, type SendParams } from './params.ts';
import type { RpcRequest } from './request.ts';

/** How a request is answered: at once, when its task has ended or paused, or as a stream of its task. */
export type Outcome =
  | { readonly kind: 'result'; readonly result: object }
  /** `{ task }`, as SendMessage answers. */
  | { readonly kind: 'sent'; readonly task: TaskRecord; readonly historyLength: number | undefined }
  | ({ readonly kind: 'wait' | 'stream'; readonly historyLength: number | undefined } & Taken);

export interface OperationsOptions {
  readonly agent: AgentDefinition;
  readonly desk: TaskDesk;
  readonly store: TaskStore;
  /** Absent in an agent that sends no push notifications. */
  readonly push: PushDesk | undefined;
  readonly extendedCard: ((caller: Caller) => object) | undefined;
}

export type Perform = (request: RpcRequest, caller: Caller) => Awaitable<Outcome>;

/** The operations of A2A 1.0, under their JSON-RPC names. Each throws an RpcError for what it cannot do. */
export function operations({ agent, desk, store, push, extendedCard }: OperationsOptions): Perform {
  const begin = (send: SendParams, caller: Caller): Awaitable<Taken> => beginWith(desk, agent, send, caller);
  const beginWatched = async (
    send: SendParams & { readonly webhook: JsonObject },
    caller: Caller,
    version: RpcRequest['version'],
  ): Promise<Taken> => {
    // Refused and not left out: the caller would wait for a notification that never comes.
    if (push === undefined) throw errors.pushNotSupported();
    const { id, ...webhook } = await push.admit(send.webhook, version, 'configuration.taskPushNotificationConfig.');
    const taken = await begin(send, caller);
    try {
      // Under the task's id where it has none, so that the same message again does not add another one.
      await push.add(taken.task.id, { ...webhook, id: id ?? taken.task.id });
    } catch (error) {
      taken.start();
      throw error;
    }
    return taken;
  };
  const take = (send: SendParams, caller: Caller, version: RpcRequest['version']): Awaitable<Taken> => {
    const { webhook } = send;
    return webhook === undefined ? begin(send, caller) : beginWatched({ ...send, webhook }, caller, version);
  };

  const other = async ({ method, params, version }: RpcRequest, caller: Caller): Promise<Outcome> => {
    switch (method) {
      case 'SubscribeToTask': {
        const task = await desk.read(readTaskParams(params).id, caller.id);
        if (isEnded(task.status.state)) throw errors.unsupported('The task has ended: read it with GetTask.');
        return { kind: 'stream', task, historyLength: undefined, start: () => undefined };
      }
      case 'GetTask': {
        const { id, historyLength } = readTaskParams(params);
        return { kind: 'result', result: printTask(await desk.read(id, caller.id), { historyLength }) };
      }
      case 'CancelTask': {
        const task = await desk.cancel(readTaskParams(params).id, caller.id);
        // A second cancel is no error (case C061); one that came too late is.
        if (task.status.state !== 'TASK_STATE_CANCELED') throw errors.notCancelable();
        return { kind: 'result', result: printTask(task) };
      }
      case 'ListTasks':
        return { kind: 'result', result: await listTasks(store, readListParams(params), caller) };
      case 'GetExtendedAgentCard':
        if (extendedCard === undefined || caller.id === '') throw errors.noExtendedCard();
        return { kind: 'result', result: extendedCard(caller) };
      case 'CreateTaskPushNotificationConfig':
      case 'GetTaskPushNotificationConfig':
      case 'ListTaskPushNotificationConfigs':
      case 'DeleteTaskPushNotificationConfig':
        return {
          kind: 'result',
          result: await pushOperation({ method, params, ...(version === undefined ? {} : { version }) }, caller, {
            desk,
            push,
          }),
        };
      default:
        throw errors.methodNotFound();
    }
  };

  return (request, caller) => {
    const { method, params, version } = request;
    if (method !== 'SendMessage' && method !== 'SendStreamingMessage') return other(request, caller);
    const send = readSendParams(params);
    const taken = take(send, caller, version);
    return taken instanceof Promise ? taken.then((later) => sent(method, send, later)) : sent(method, send, taken);
  };
}

function sent(
  method: 'SendMessage' | 'SendStreamingMessage',
  { historyLength, returnImmediately }: SendParams,
  { task, start }: Taken,
): Outcome {
  if (method === 'SendStreamingMessage') return { kind: 'stream', task, start, historyLength };
  if (!returnImmediately) return { kind: 'wait', task, start, historyLength };
  start();
  return { kind: 'sent', task, historyLength };
}

function beginWith(desk: TaskDesk, agent: AgentDefinition, send: SendParams, { id: owner }: Caller): Awaitable<Taken> {
  const { message, contextId, taskId } = send;
  const skill = skillOf(agent, send.skillId);
  if (taskId !== undefined) return desk.answer(taskId, owner, message);
  checkTypes(agent, skill, send);
  return desk.begin({ message, contextId, owner, skillId: skill?.id ?? '' });
}

/** The skill that a message names, if any. Throws -32602 for one that there is not (rule P6). */
function skillOf(agent: AgentDefinition, skillId: string | undefined): Skill | undefined {
  if (skillId === undefined) return undefined;
  const skills = skillsOf(agent);
  const skill = skills.find(({ id }) => id === skillId);
  if (skill === undefined) throw errors.noSuchSkill(skills.map(({ id }) => id));
  return skill;
}

const PLAIN_TEXT: readonly string[] = ['text/plain'];

/** What is not taken is refused and not left out: the answer would be to something else. */
function checkTypes(agent: AgentDefinition, skill: Skill | undefined, { message }: SendParams): void {
  const modes = skill?.inputModes ?? agent.inputModes ?? PLAIN_TEXT;
  const refused = refusedType(message, modes);
  if (refused !== undefined) throw errors.contentTypeNotSupported(modes);
}

async function listTasks(store: TaskStore, params: ListParams, { id: owner }: Caller): Promise<object> {
  const { contextId, status: state, changedSince, pageSize, pageToken, historyLength, includeArtifacts } = params;
  let listed: ListedTasks;
  try {
    listed = await store.list({ owner, contextId, state, changedSince, pageSize, pageToken });
  } catch (error) {
    if (error instanceof UnknownPageToken) throw errors.invalidParams('pageToken is not one that this agent gave.');
    throw error;
  }
  const tasks: object[] = [];
  let characters = 0;
  for (const record of listed.tasks) {
    if (characters > AGENT_LIMITS.pageCharacters) break;
    const task = printTask(record, { historyLength, artifacts: includeArtifacts });
    characters += JSON.stringify(task).length;
    tasks.push(task);
  }
  const more = listed.more || tasks.length < listed.tasks.length;
  const nextPageToken = more && tasks.length > 0 ? listed.tokenAfter(tasks.length - 1) : '';
  return { tasks, nextPageToken, pageSize, totalSize: listed.totalSize };
}
