import type { RpcError } from '../rpc-error.ts';
import type { News } from '../task/live-task.ts';
import type { StreamResult } from '../task/wire.ts';

/** How results and errors are written: by one binding, in one version of the protocol. */
export interface Format {
  /** Of everything but a stream. */
  readonly contentType: string;
  /** What SendMessage answers. */
  sent(result: StreamResult): string;
  /** One event of a stream, as the data of its frame. */
  event(news: News): string;
  /** What any other operation answers. */
  result(result: object): string;
  error(error: RpcError): { readonly status: number; readonly body: string };
}

/** JSON-RPC 2.0 of A2A 1.0. `id` is the request's id as JSON. */
export function jsonRpcFormat(id: string): Format {
  const wrap = (json: string) => `{"jsonrpc":"2.0","id":${id},"result":${json}}`;
  return {
    contentType: 'application/json',
    sent: (result) => wrap(JSON.stringify(result)),
    event: (news) => wrap(news.json),
    result: (result) => wrap(JSON.stringify(result)),
    error: (error) => ({ status: 200, body: jsonRpcError(id, error) }),
  };
}

export function jsonRpcError(id: string, { code, message, data }: RpcError): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code, message, data })}}`;
}
