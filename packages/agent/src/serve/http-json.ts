import { isObject, type JsonObject } from '@agentkourier/a2a/json-value';
import type { Caller } from '../agent/interrupts.ts';
import { AGENT_LIMITS } from '../limits.ts';
import {
  bodyTypeNotSupported,
  invalidParams,
  invalidRequest,
  methodNotFound,
  parseError,
  type RpcError,
  versionNotSupported,
} from '../rpc-error.ts';
import { sendError } from './deliver.ts';
import { DIALECT_1_0 } from './dialect.ts';
import { isJson, readJsonBody } from './json-body.ts';
import type { Outcome } from './operations.ts';
import { askedVersion } from './protocol-version.ts';
import type { ServerParts } from './server-parts.ts';
import type { Asked, Sink } from './sink.ts';

/** Answers one request of the HTTP+JSON binding (A2A 1.0, section 11). `path` is below `/a2a/v1`. */
export async function answerHttpJson(
  asked: Asked,
  path: string,
  { sink, caller, server }: { readonly sink: Sink; readonly caller: Caller; readonly server: ServerParts },
): Promise<void> {
  const spoken = server.dialects.get(askedVersion(asked));
  const dialect = spoken ?? DIALECT_1_0;
  const route = dialect.route(asked.method, path);
  const format = dialect.httpJsonFormat(asked, route?.method ?? '');
  if (route === undefined) return sendError(sink, format, methodNotFound());
  let body: JsonObject = {};
  if (route.takesBody) {
    const read = await readBody(asked);
    if ('refused' in read) return sendError(sink, format, read.refused, read.status);
    body = read.body;
  }
  await server.answer(sink, format, async (): Promise<Outcome> => {
    if (spoken === undefined) throw versionNotSupported(server.dialects);
    const params = { ...queryParams(asked.query), ...body, ...route.params };
    return server.perform(dialect.readHttpJson({ method: route.method, params }), caller);
  });
}

type ReadBody = { readonly body: JsonObject } | { readonly refused: RpcError; readonly status?: number };

/** The statuses are HTTP's own where the protocol names none. */
async function readBody(asked: Asked): Promise<ReadBody> {
  const type = asked.header('content-type');
  if (type !== undefined && !isJson(type)) return { refused: bodyTypeNotSupported(), status: 415 };
  const body = readJsonBody(await asked.body(AGENT_LIMITS.bodyBytes));
  if (body === 'too-large') return { refused: invalidRequest('The body is too large.'), status: 413 };
  if (body === 'too-deep') return { refused: invalidRequest('The body is nested too deeply.') };
  if (body === 'not-json') return { refused: parseError() };
  return isObject(body.value) ? { body: body.value } : { refused: invalidParams('The body must be an object.') };
}

const NUMBERS = new Set(['historyLength', 'history_length', 'pageSize', 'page_size']);

const BOOLEANS = new Set(['includeArtifacts', 'include_artifacts']);

/** Query parameters have the names of the fields; numbers and booleans come as words. */
function queryParams(query: URLSearchParams): JsonObject {
  const params: Record<string, unknown> = {};
  for (const [name, value] of query) {
    if (name === 'A2A-Version') continue;
    if (NUMBERS.has(name)) params[name] = /^-?\d{1,15}$/.test(value) ? Number(value) : value;
    else params[name] = BOOLEANS.has(name) && /^(true|false)$/.test(value) ? value === 'true' : value;
  }
  return params;
}
