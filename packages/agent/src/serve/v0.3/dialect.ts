import type { JsonObject } from '@agentkourier/a2a/json-value';
import type { Dialect } from '../dialect.ts';
import { type Route, routeOf } from '../http-route.ts';
import { protoNames } from '../proto-names.ts';
import type { RpcRequest } from '../request.ts';
import { printExtendedCard } from './extended-card.ts';
import { httpJsonFormat } from './http-json-format.ts';
import { jsonRpcFormat } from './json-rpc-format.ts';
import { readPushBody, readSendBody } from './proto-json.ts';
import { readPushConfig } from './push-config.ts';
import { readRequest, readSend } from './read-request.ts';

/** A2A 0.3, for an agent whose card of 0.3 is `card`. */
export function dialect03(card: JsonObject): Dialect {
  return {
    jsonRpcFormat: (id, method) => jsonRpcFormat(id, method, (fuller) => printExtendedCard(fuller, card, 'json')),
    readJsonRpc: (request) => ({ ...readRequest(request), version: '0.3' }),
    route: routeOf03,
    httpJsonFormat: (_asked, operation) =>
      httpJsonFormat(operation, (fuller) => printExtendedCard(fuller, card, 'proto')),
    readHttpJson: (request) => ({ ...readHttpJson(request), version: '0.3' }),
  };
}

/** The paths are those of 1.0, but for the fuller card, and there is no list of tasks. */
function routeOf03(method: string, path: string): Route | undefined {
  if (path === '/card') return routeOf(method, '/extendedAgentCard');
  const route = routeOf(method, path);
  return route?.method === 'GetExtendedAgentCard' || route?.method === 'ListTasks' ? undefined : route;
}

function readHttpJson({ method, params }: RpcRequest): RpcRequest {
  switch (method) {
    case 'SendMessage':
    case 'SendStreamingMessage':
      return { method, params: readSend(readSendBody(params)) };
    case 'CreateTaskPushNotificationConfig':
      return { method, params: readPushConfig(readPushBody(params), params['taskId']) };
    default:
      return { method, params: protoNames(params) };
  }
}
