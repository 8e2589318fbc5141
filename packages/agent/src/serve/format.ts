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
  /** `status`: that of HTTP, where the protocol has none for what went wrong. */
  error(error: RpcError, status?: number): WrittenError;
}

export interface WrittenError {
  readonly status: number;
  readonly body: string;
  readonly contentType?: string;
}

/** JSON-RPC 2.0 of A2A 1.0. */
export class JsonRpcFormat implements Format {
  readonly contentType = 'application/json';
  readonly #id: string;

  /** `id`: the request's, as JSON. */
  constructor(id: string) {
    this.#id = id;
  }

  sent(task: WireTask): string {
    return this.result({ task });
  }

  frames(news: News): string {
    // In one step: each piece of a text that is joined is as much memory as a short text.
    return `data: {"jsonrpc":"2.0","id":${this.#id},"result":${news.json}}\n\n`;
  }

  result(result: object): string {
    return jsonRpcResult(this.#id, JSON.stringify(result));
  }

  error(error: RpcError, status = 200): WrittenError {
    return { status, body: jsonRpcError(this.#id, error) };
  }
}

/** One server-sent event. `data` is one line. */
export const frame = (data: string): string => `data: ${data}

`;

export const jsonRpcResult = (id: string, json: string): string => `{"jsonrpc":"2.0","id":${id},"result":${json}}`;

export function jsonRpcError(id: string, { code, message, data }: RpcError): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code, message, data })}}`;
}
