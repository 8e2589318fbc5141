import type { RpcError } from '../rpc-error.ts';
import type { News } from '../task/live-task.ts';
import type { WireTask } from '../task/wire.ts';

/**
 * Where an event stands in its stream. The whole task is told at the `start`, at the `end`, and to a reader that was
 * `behind`, for whom it stands for everything that was left out; all else is `news`.
 */
export type Moment = 'start' | 'news' | 'behind' | 'end';

/** How results and errors are written: by one binding, in one version of the protocol. */
export interface Format {
  /** Of everything but a stream. */
  readonly contentType: string;
  /** What SendMessage answers. */
  sent(task: WireTask): string;
  /** The server-sent events for one event of a task: one, several or none. */
  frames(news: News, moment: Moment): string;
  /** What any other operation answers. */
  result(result: object): string;
  error(error: RpcError): { readonly status: number; readonly body: string; readonly contentType?: string };
}

/** JSON-RPC 2.0 of A2A 1.0. `id` is the request's id as JSON. */
export function jsonRpcFormat(id: string): Format {
  const wrap = (json: string) => jsonRpcResult(id, json);
  return {
    contentType: 'application/json',
    sent: (task) => wrap(JSON.stringify({ task })),
    frames: (news) => frame(wrap(news.json)),
    result: (result) => wrap(JSON.stringify(result)),
    error: (error) => ({ status: 200, body: jsonRpcError(id, error) }),
  };
}

/** One server-sent event. `data` is one line. */
export const frame = (data: string): string => `data: ${data}\n\n`;

export const jsonRpcResult = (id: string, json: string): string => `{"jsonrpc":"2.0","id":${id},"result":${json}}`;

export function jsonRpcError(id: string, { code, message, data }: RpcError): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code, message, data })}}`;
}
