import { RPC_ERROR } from '@agentkourier/a2a/json-rpc';
import { arrayOf, type JsonObject } from '@agentkourier/a2a/json-value';
import { restStatusOf } from '@agentkourier/a2a/rest-error';
import type { WireTask } from '../../task/wire.ts';
import { type Format, frame } from '../format.ts';
import { eventsOf } from './print-json.ts';
import { printEventProto, printPushProto, printTaskProto } from './proto-json.ts';

/** HTTP+JSON of A2A 0.3. `operation` is the one of A2A 1.0 that was asked for. */
export function httpJsonFormat(operation: string, printCard: (card: JsonObject) => JsonObject): Format {
  return {
    contentType: 'application/json',
    sent: (task) => JSON.stringify({ task: printTaskProto(task) }),
    frames: ({ result }, moment) =>
      eventsOf(result, moment)
        .map((event) => frame(JSON.stringify(printEventProto(event))))
        .join(''),
    result: (result) => JSON.stringify(printResult(operation, result as JsonObject, printCard)),
    // 0.3 leaves the body open: one official client reads the code, the other the type.
    error: ({ code, message, data }, status = restStatusOf(code)[0]) => ({
      status,
      body: JSON.stringify({ type: TYPES[code] ?? 'InvalidParamsError', code, message, data }),
    }),
  };
}

const TYPES: Readonly<Record<number, string>> = {
  [RPC_ERROR.parseError]: 'JSONParseError',
  [RPC_ERROR.invalidRequest]: 'InvalidRequestError',
  [RPC_ERROR.methodNotFound]: 'MethodNotFoundError',
  [RPC_ERROR.internalError]: 'InternalError',
  [RPC_ERROR.taskNotFound]: 'TaskNotFoundError',
  [RPC_ERROR.taskNotCancelable]: 'TaskNotCancelableError',
  [RPC_ERROR.pushNotSupported]: 'PushNotificationNotSupportedError',
  [RPC_ERROR.unsupportedOperation]: 'UnsupportedOperationError',
  [RPC_ERROR.contentTypeNotSupported]: 'ContentTypeNotSupportedError',
  [RPC_ERROR.extendedCardNotConfigured]: 'AuthenticatedExtendedCardNotConfiguredError',
};

function printResult(operation: string, result: JsonObject, printCard: (card: JsonObject) => JsonObject): JsonObject {
  switch (operation) {
    case 'GetExtendedAgentCard':
      return printCard(result);
    case 'CreateTaskPushNotificationConfig':
    case 'GetTaskPushNotificationConfig':
      return printPushProto(result);
    case 'ListTaskPushNotificationConfigs':
      return { configs: arrayOf(result['configs']).map((config) => printPushProto(config as JsonObject)) };
    case 'DeleteTaskPushNotificationConfig':
      return {};
    default:
      return printTaskProto(result as unknown as WireTask);
  }
}
