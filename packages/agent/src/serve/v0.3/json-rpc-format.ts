import { arrayOf, type JsonObject } from '@agentkourier/a2a/json-value';
import type { WireTask } from '../../task/wire.ts';
import { type Format, frame, jsonRpcError, jsonRpcResult } from '../format.ts';
import { eventsOf, printEvent, printTask, printTaskPushConfig } from './print-json.ts';
import { operationOf } from './read-request.ts';

/** JSON-RPC 2.0 of A2A 0.3. `id` is the request's id as JSON, `method` the one that it names. */
export function jsonRpcFormat(id: string, method: string, printCard: (card: JsonObject) => JsonObject): Format {
  const wrap = (result: unknown) => jsonRpcResult(id, JSON.stringify(result));
  return {
    contentType: 'application/json',
    sent: (task) => wrap(printTask(task)),
    frames: ({ result }, moment) =>
      eventsOf(result, moment)
        .map((event) => frame(wrap(printEvent(event))))
        .join(''),
    result: (result) => wrap(printResult(operationOf(method), result as JsonObject, printCard)),
    error: (error, status = 200) => {
      const body = jsonRpcError(id, error);
      // 0.3 answers a streaming method with a stream, whatever it says (section 7).
      return STREAMING.has(method) ? { status, body: frame(body), contentType: 'text/event-stream' } : { status, body };
    },
  };
}

const STREAMING = new Set(['message/stream', 'tasks/resubscribe']);

function printResult(operation: string, result: JsonObject, printCard: (card: JsonObject) => JsonObject): unknown {
  switch (operation) {
    case 'GetExtendedAgentCard':
      return printCard(result);
    case 'CreateTaskPushNotificationConfig':
    case 'GetTaskPushNotificationConfig':
      return printTaskPushConfig(result);
    case 'ListTaskPushNotificationConfigs':
      return arrayOf(result['configs']).map((config) => printTaskPushConfig(config as JsonObject));
    case 'DeleteTaskPushNotificationConfig':
      return null;
    default:
      return printTask(result as unknown as WireTask);
  }
}
