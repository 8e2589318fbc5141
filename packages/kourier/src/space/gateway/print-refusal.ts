import { restStatusOf } from '@agentkourier/a2a/rest-error';
import type { WireVersion } from '@agentkourier/a2a/wire-version';
import type { Refusal } from './refusal.ts';

/** The words that an answer is written in. */
export interface Words {
  readonly binding: 'JSONRPC' | 'HTTP+JSON';
  readonly version: WireVersion;
  /** Of JSON-RPC: the id of the request, as JSON. */
  readonly id: string;
}

export interface Printed {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A refusal as the protocol has errors: A2A 1.0 sections 5.4, 9.5 and 11.6; of 0.3 as its clients read it. */
export function printRefusal(refusal: Refusal, { binding, version, id }: Words): Printed {
  const { code, message, status, retryAfterSeconds } = refusal;
  const [restStatus, name] = restStatusOf(code);
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  };
  const data = [errorInfo(refusal)];
  if (binding === 'JSONRPC') {
    const body = `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code, message, data })}}`;
    return { status: status ?? 200, headers, body };
  }
  const http = status ?? restStatus;
  const body =
    version === '0.3' ? { code, message, data } : { error: { code: http, status: name, message, details: data } };
  return { status: http, headers, body: JSON.stringify(body) };
}

function errorInfo({ reason, metadata }: Refusal): object {
  return {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason,
    domain: 'a2a-protocol.org',
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}
