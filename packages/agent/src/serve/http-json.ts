import { RPC_ERROR } from '@agentkourier/a2a/json-rpc';
import { isObject, type JsonObject } from '@agentkourier/a2a/json-value';
import type { Caller } from '../agent/interrupts.ts';
import {
  invalidParams,
  invalidRequest,
  methodNotFound,
  parseError,
  RpcError,
  versionNotSupported,
} from '../rpc-error.ts';
import { sendError } from './deliver.ts';
import type { Format } from './format.ts';
import { isJson, readJsonBody } from './json-body.ts';
import type { Outcome } from './operations.ts';
import { askedVersion } from './protocol-version.ts';
import type { RpcRequest } from './request.ts';
import type { ServerParts } from './server-parts.ts';
import type { Asked, Sink } from './sink.ts';

/** Answers one request of the HTTP+JSON binding (A2A 1.0, section 11). `path` is below the interface's URL. */
export async function answerHttpJson(
  asked: Asked,
  path: string,
  { sink, caller, server }: { readonly sink: Sink; readonly caller: Caller; readonly server: ServerParts },
): Promise<void> {
  const format = httpJsonFormat(asked);
  const route = routeOf(asked.method, path);
  if (route === undefined) return sendError(sink, format, methodNotFound());
  let body: JsonObject = {};
  if (route.takesBody) {
    const read = await readBody(asked);
    if (read instanceof RpcError) return sendError(sink, format, read, read.message === TOO_LARGE ? 413 : undefined);
    body = read;
  }
  await server.answer(sink, format, async (): Promise<Outcome> => {
    if (askedVersion(asked) !== '1.0') throw versionNotSupported();
    const params = { ...queryParams(asked.query), ...body, ...route.params };
    return server.perform({ method: route.method, params }, caller);
  });
}

interface Route extends RpcRequest {
  readonly takesBody: boolean;
}

const TOO_LARGE = 'The body is too large.';

async function readBody(asked: Asked): Promise<JsonObject | RpcError> {
  const type = asked.header('content-type');
  if (type !== undefined && !isJson(type)) return invalidRequest('Content-Type must be application/json.');
  const body = await readJsonBody(asked);
  if (body === 'too-large') return invalidRequest(TOO_LARGE);
  if (body === 'too-deep') return invalidRequest('The body is nested too deeply.');
  if (body === 'not-json') return parseError();
  return isObject(body.value) ? body.value : invalidParams('The body must be an object.');
}

/** The operation behind a method and a path. */
function routeOf(method: string, path: string): Route | undefined {
  const post = (name: string, params: JsonObject = {}): Route => ({ method: name, params, takesBody: true });
  const plain = (name: string, params: JsonObject = {}): Route => ({ method: name, params, takesBody: false });
  const [first = '', id = '', more, configId, rest] = path.slice(1).split('/').map(decode);
  if (rest !== undefined || !path.startsWith('/')) return undefined;
  if (more === undefined) {
    if (id === '') return topRoute(method, first, post, plain);
    if (first !== 'tasks') return undefined;
    const [taskId = '', verb] = splitVerb(id);
    if (verb === undefined) return method === 'GET' ? plain('GetTask', { id: taskId }) : undefined;
    if (verb === 'cancel' && method === 'POST') return plain('CancelTask', { id: taskId });
    // POST in the specification's text, GET in its proto.
    if (verb === 'subscribe') return plain('SubscribeToTask', { id: taskId });
    return undefined;
  }
  if (first !== 'tasks' || more !== 'pushNotificationConfigs') return undefined;
  if (configId === undefined) {
    if (method === 'POST') return post('CreateTaskPushNotificationConfig', { taskId: id });
    return method === 'GET' ? plain('ListTaskPushNotificationConfigs', { taskId: id }) : undefined;
  }
  if (method === 'GET') return plain('GetTaskPushNotificationConfig', { taskId: id, id: configId });
  return method === 'DELETE' ? plain('DeleteTaskPushNotificationConfig', { taskId: id, id: configId }) : undefined;
}

type Make = (name: string, params?: JsonObject) => Route;

function topRoute(method: string, path: string, post: Make, plain: Make): Route | undefined {
  switch (`${method} ${path}`) {
    case 'POST message:send':
      return post('SendMessage');
    case 'POST message:stream':
      return post('SendStreamingMessage');
    case 'GET tasks':
      return plain('ListTasks');
    case 'GET extendedAgentCard':
      return plain('GetExtendedAgentCard');
    default:
      return undefined;
  }
}

function splitVerb(id: string): [string, string?] {
  const colon = id.lastIndexOf(':');
  if (colon === -1) return [id];
  const verb = id.slice(colon + 1);
  return verb === 'cancel' || verb === 'subscribe' ? [id.slice(0, colon), verb] : [id];
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

const NUMBERS = new Set(['historyLength', 'pageSize']);

/** Query parameters have the names of the fields; numbers and booleans come as words. */
function queryParams(query: URLSearchParams): JsonObject {
  const params: Record<string, unknown> = {};
  for (const [name, value] of query) {
    if (name === 'A2A-Version') continue;
    if (NUMBERS.has(name)) params[name] = /^-?\d{1,15}$/.test(value) ? Number(value) : value;
    else params[name] = name === 'includeArtifacts' && /^(true|false)$/.test(value) ? value === 'true' : value;
  }
  return params;
}

/** HTTP status and google.rpc.Code of each error (A2A 1.0.1, section 5.4). */
const STATUS: Readonly<Record<number, readonly [number, string]>> = {
  [RPC_ERROR.taskNotFound]: [404, 'NOT_FOUND'],
  [RPC_ERROR.methodNotFound]: [404, 'NOT_FOUND'],
  [RPC_ERROR.taskNotCancelable]: [400, 'FAILED_PRECONDITION'],
  [RPC_ERROR.pushNotSupported]: [400, 'FAILED_PRECONDITION'],
  [RPC_ERROR.unsupportedOperation]: [400, 'FAILED_PRECONDITION'],
  [RPC_ERROR.extendedCardNotConfigured]: [400, 'FAILED_PRECONDITION'],
  [RPC_ERROR.versionNotSupported]: [400, 'FAILED_PRECONDITION'],
  [RPC_ERROR.internalError]: [500, 'INTERNAL'],
};

/** The media type that the caller names, because 1.0.1 and 1.0.0 differ: `application/a2a+json` for whoever knows it. */
function httpJsonFormat(asked: Asked): Format {
  const knows = [asked.header('accept'), asked.header('content-type')].some((type) =>
    type?.includes('application/a2a+json'),
  );
  return {
    contentType: knows ? 'application/a2a+json' : 'application/json',
    sent: (result) => JSON.stringify(result),
    event: (news) => news.json,
    result: (result) => JSON.stringify(result),
    error: ({ code, message, data }) => {
      const [status, name] = STATUS[code] ?? [400, 'INVALID_ARGUMENT'];
      return { status, body: JSON.stringify({ error: { code: status, status: name, message, details: data ?? [] } }) };
    },
  };
}
