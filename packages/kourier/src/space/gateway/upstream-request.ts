import { parseExact } from '@agentkourier/a2a/exact-json';
import { isObject, type JsonObject } from '@agentkourier/a2a/json-value';
import { withoutEndSlashes } from '@agentkourier/a2a/without-end-slashes';
import type { Endpoint } from '../../core/directory/registered-agent.ts';
import type { UpstreamRequest } from '../../ports/space/upstream.ts';
import type { GatewayRequest } from './exchange.ts';
import type { AskedCall } from './read-call.ts';

/**
 * Headers of the caller that go on to the agent. Whatever says who calls stays here: the gateway says it itself, and a
 * header that anybody can write proves nothing (case C109).
 */
const PASSED = ['accept', 'a2a-version', 'a2a-extensions', 'x-a2a-extensions', 'traceparent', 'tracestate'];

/** The caller's call as it goes to the agent: the same bytes, unless the agent wants to be told a tenant. */
export function upstreamRequest(request: GatewayRequest, call: AskedCall, endpoint: Endpoint): UpstreamRequest {
  const headers: Record<string, string> = {};
  for (const name of PASSED) {
    const value = request.header(name);
    if (value !== undefined) headers[name] = value;
  }
  if (call.words.version === '1.0') headers['a2a-version'] = '1.0';
  const body = bodyOf(call, endpoint);
  // Without parameters: another charset would have the agent read other letters than were judged.
  if (body !== undefined)
    headers['content-type'] = request.header('content-type')?.split(';')[0]?.trim() ?? 'application/json';
  const { method, url } = addressOf(request, call, endpoint);
  return { method, url, headers, ...(body === undefined ? {} : { body }) };
}

const REST_PREFIX = '/a2a/v1';

function addressOf({ method, path, query }: GatewayRequest, call: AskedCall, { url, version, tenant }: Endpoint) {
  if (call.words.binding === 'JSONRPC') return { method: 'POST', url } as const;
  const below = path.slice(REST_PREFIX.length);
  // Of 1.0 the interface's address holds the version, of 0.3 the path does.
  const prefix = version === '0.3' ? '/v1' : tenant === undefined ? '' : `/${encodeURIComponent(tenant)}`;
  const address = `${withoutEndSlashes(url)}${prefix}${below}${query === '' ? '' : `?${query}`}`;
  return { method: method === 'DELETE' ? 'DELETE' : method === 'POST' ? 'POST' : 'GET', url: address } as const;
}

function bodyOf({ words, body }: AskedCall, { tenant }: Endpoint): Uint8Array | undefined {
  if (body === undefined || tenant === undefined) return body;
  const json = parseExact(new TextDecoder().decode(body));
  if (!isObject(json)) return body;
  return new TextEncoder().encode(
    JSON.stringify(words.binding === 'JSONRPC' ? rpcWith(json, tenant) : { ...json, tenant }),
  );
}

function rpcWith(json: JsonObject, tenant: string): JsonObject {
  const { params } = json;
  return { ...json, params: { ...(isObject(params) ? params : {}), tenant } };
}
