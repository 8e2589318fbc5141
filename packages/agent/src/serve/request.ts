import { isObject, type JsonObject } from '@agentkourier/a2a/json-value';
import { AGENT_LIMITS } from '../limits.ts';
import { invalidParams, invalidRequest } from '../rpc-error.ts';

export interface RpcRequest {
  readonly method: string;
  readonly params: JsonObject;
  /** Of the protocol that its caller speaks; 1.0 unless given. What is sent later is written in it. */
  readonly version?: '0.3';
}

/**
 * The id to echo, as JSON: of any type, also one that is no id, so that the caller finds its request again. `null` when
 * there is none, or one that is too long. `text` is what `body` was read from.
 */
export function idOf(body: unknown, text: string): string {
  const id = isObject(body) ? body['id'] : undefined;
  if (typeof id === 'string') return id.length > AGENT_LIMITS.idCharacters ? 'null' : JSON.stringify(id);
  const echo = typeof id === 'number' && !Number.isSafeInteger(id) ? digitsOfId(text) : JSON.stringify(id ?? null);
  return echo.length > AGENT_LIMITS.idCharacters ? 'null' : echo;
}

/** The id's digits as they came: a number of nanoseconds is more than a JavaScript number holds. */
function digitsOfId(text: string): string {
  const digits = new Map<unknown, string>();
  function note(this: unknown, key: string, value: unknown, ...[read]: { readonly source: string }[]): unknown {
    if (key === 'id' && typeof value === 'number' && read !== undefined) digits.set(this, read.source);
    return value;
  }
  return digits.get(JSON.parse(text, note)) ?? 'null';
}

/** Whether there is an answer to be sent: a request without an id is a notification. */
export const hasId = (body: unknown): boolean => isObject(body) && body['id'] !== undefined;

const isId = (id: unknown): boolean =>
  typeof id === 'number' || (typeof id === 'string' && id.length <= AGENT_LIMITS.idCharacters);

/** The method, empty when the request names none. */
export function methodOf(body: unknown): string {
  const method = isObject(body) ? body['method'] : undefined;
  return typeof method === 'string' ? method : '';
}

/** Checks the envelope of JSON-RPC 2.0. Throws an RpcError: -32600, or -32602 for params that are no object. */
export function readRequest(body: unknown): RpcRequest {
  if (Array.isArray(body)) throw invalidRequest('A batch is not supported: send one request object.');
  if (!isObject(body)) throw invalidRequest('The body is not a JSON-RPC request object.');
  if (body['jsonrpc'] !== '2.0') throw invalidRequest('jsonrpc must be "2.0".');
  const id = body['id'] ?? null;
  if (id !== null && !isId(id)) {
    throw invalidRequest(`id must be a number or a string of at most ${AGENT_LIMITS.idCharacters} characters.`);
  }
  const method = methodOf(body);
  if (method === '') throw invalidRequest('method must be a non-empty string.');
  const params = body['params'] ?? {};
  if (!isObject(params)) throw invalidParams('params must be an object.');
  return { method, params };
}
