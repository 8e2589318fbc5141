import { RPC_ERROR } from '@agentkourier/a2a/json-rpc';
import { isObject, type JsonObject } from '@agentkourier/a2a/json-value';
import { invalidParams, RpcError } from '../../rpc-error.ts';
import type { RpcRequest } from '../request.ts';
import { configId, readPushConfig } from './push-config.ts';
import { readMessage } from './read-message.ts';

type Read = (params: JsonObject) => JsonObject;

const asTheyAre: Read = (params) => params;

/** Each method of 0.3 with the operation of 1.0 that it names, and how its params are read. */
const METHODS: ReadonlyMap<string, readonly [operation: string, read: Read]> = new Map([
  ['message/send', ['SendMessage', readSend]],
  ['message/stream', ['SendStreamingMessage', readSend]],
  ['tasks/get', ['GetTask', asTheyAre]],
  ['tasks/cancel', ['CancelTask', asTheyAre]],
  ['tasks/resubscribe', ['SubscribeToTask', asTheyAre]],
  [
    'tasks/pushNotificationConfig/set',
    [
      'CreateTaskPushNotificationConfig',
      ({ taskId, pushNotificationConfig }: { taskId?: unknown; pushNotificationConfig?: unknown }) =>
        readPushConfig(pushNotificationConfig, taskId),
    ],
  ],
  ['tasks/pushNotificationConfig/get', ['GetTaskPushNotificationConfig', readConfigName]],
  [
    'tasks/pushNotificationConfig/list',
    ['ListTaskPushNotificationConfigs', ({ id }: { id?: unknown }) => ({ taskId: id })],
  ],
  ['tasks/pushNotificationConfig/delete', ['DeleteTaskPushNotificationConfig', readConfigName]],
  ['agent/getAuthenticatedExtendedCard', ['GetExtendedAgentCard', asTheyAre]],
]);

/** The operation of A2A 1.0 behind a method of 0.3; empty when it has none. */
export const operationOf = (method: string): string => METHODS.get(method)?.[0] ?? '';

/** A request of A2A 1.0, made from one of 0.3. Throws an RpcError. */
export function readRequest({ method, params }: RpcRequest): RpcRequest {
  const [operation, read] = METHODS.get(method) ?? [];
  if (operation === undefined || read === undefined) throw notIn03();
  return { method: operation, params: read(params) };
}

/** A request without the version's header is one of 0.3 (case C139), and that of a 1.0 client is told what it lacks. */
const notIn03 = () =>
  new RpcError(
    RPC_ERROR.methodNotFound,
    'There is no such method in A2A 0.3; for the methods of A2A 1.0, send the header A2A-Version: 1.0.',
  );

/** `message/send` waits unless `blocking` is false; whether there is a configuration makes no difference. */
export function readSend(params: JsonObject): JsonObject {
  const { message, configuration, metadata } = params as Record<string, unknown>;
  const settings = configuration ?? {};
  if (!isObject(settings)) throw invalidParams('configuration must be an object.');
  const {
    blocking,
    historyLength,
    acceptedOutputModes,
    pushNotificationConfig: push,
  } = settings as Record<string, unknown>;
  if (blocking !== undefined && blocking !== null && typeof blocking !== 'boolean') {
    throw invalidParams('configuration.blocking must be a boolean.');
  }
  return {
    message: readMessage(message),
    configuration: {
      returnImmediately: blocking === false,
      ...(historyLength === undefined ? {} : { historyLength }),
      ...(acceptedOutputModes === undefined ? {} : { acceptedOutputModes }),
      ...((push ?? undefined) === undefined ? {} : { taskPushNotificationConfig: readPushConfig(push, undefined) }),
    },
    ...(metadata === undefined ? {} : { metadata }),
  };
}

function readConfigName(params: JsonObject): JsonObject {
  const { id: taskId, pushNotificationConfigId } = params as Record<string, unknown>;
  return { taskId, id: configId(pushNotificationConfigId, taskId) };
}
