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

/** JSON-RPC 2.0 of A2A 1.0. */
export class JsonRpcFormat implements Format {
  readonly contentType = 'application/json';
  readonly #id: string;

  /** `id`: the request's, as JSON. */
  constructor(id: string) {
    this.#id = id;
  }

  sent(result: StreamResult): string {
    return this.result(result);
  }

  event(news: News): string {
    return this.#wrap(news.json);
  }

  result(result: object): string {
    return this.#wrap(JSON.stringify(result));
  }

  error({ code, message, data }: RpcError): { readonly status: number; readonly body: string } {
    const error = JSON.stringify({ code, message, data });
    return { status: 200, body: `{"jsonrpc":"2.0","id":${this.#id},"error":${error}}` };
  }

  #wrap(json: string): string {
    return `{"jsonrpc":"2.0","id":${this.#id},"result":${json}}`;
  }
}
