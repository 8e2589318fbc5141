import { restStatusOf } from '@agentkourier/a2a/rest-error';
import type { WireVersion } from '@agentkourier/a2a/wire-version';
import type { Refusal } from './refusal.ts';

/** The words that an answer is written in. */
export interface Words {
  readonly binding: 'JSONRPC' | 'HTTP+JSON';
  readonly version: WireVersion;
  /** Of JSON-RPC: the id of the request, as JSON. */
  readonly id: string;
  /** Of JSON-RPC: whether the method answers with a stream. */
  readonly isStream: boolean;
}

export interface Printed {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A refusal as the protocol has errors: A2A 1.0 sections 5.4, 9.5 and 11.6; of 0.3 as its clients read it. */
export function printRefusal(refusal: Refusal, { binding, version, id, isStream }: Words): Printed {
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
    // 0.3 answers such a method with a stream, whatever it says (section 7); a status of HTTP is looked at before that.
    if (version === '1.0' || !isStream || status !== undefined) return { status: status ?? 200, headers, body };
    return { status: 200, headers: { ...headers, 'content-type': 'text/event-stream' }, body: `data: ${body}\n\n` };
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
