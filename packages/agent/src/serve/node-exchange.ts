import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Asked, Sink } from './sink.ts';

/** A request of Node's http server. */
export function nodeAsked(request: IncomingMessage, basePath: string): Asked | undefined {
  const [rawPath = '', query = ''] = splitOnce(request.url ?? '/');
  if (!rawPath.startsWith(basePath)) return undefined;
  return {
    method: request.method ?? 'GET',
    path: rawPath.slice(basePath.length),
    get query() {
      return new URLSearchParams(query);
    },
    get target() {
      return request.url ?? '/';
    },
    header: (name) => headerOf(request, name),
    body: (limit) => readBytes(request, limit),
  };
}

/** As the server before the agent left it: what its middleware took out or put in counts, not what came over the wire. */
function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

function splitOnce(url: string): [string, string] {
  const mark = url.indexOf('?');
  return mark === -1 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
}

/** `undefined` past the limit; the rest is then left unread, and the connection open for an answer. */
function readBytes(request: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  if (Number(headerOf(request, 'content-length') ?? 0) > limit) return Promise.resolve(undefined);
  // Nothing would come of it any more, and its caller would wait for ever.
  if (request.readableEnded) {
    const bytes = readBefore(request);
    return Promise.resolve(bytes.length > limit ? undefined : bytes);
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const data = (chunk: Buffer): void => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes <= limit) return;
      request.pause();
      settle(() => resolve(undefined));
    };
    const end = (): void => settle(() => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    const broken = (): void => settle(() => reject(new Error('the connection broke')));
    const events = { data, end, error: broken, close: broken };
    // A stream stays open for hours: what it was asked for is not kept for so long.
    const settle = (tell: () => void): void => {
      for (const [name, listener] of Object.entries(events)) request.off(name, listener);
      tell();
    };
    for (const [name, listener] of Object.entries(events)) request.on(name, listener);
  });
}

/** What a parser that stands before the agent, such as `express.json()`, made of the body; empty where it is gone. */
function readBefore({ body = '' }: IncomingMessage & { readonly body?: unknown }): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** The answer as Node's http server sends it. */
export class NodeSink implements Sink {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get over(): boolean {
    return this.#response.destroyed || this.#response.writableEnded;
  }

  get waiting(): number {
    return this.#response.writableLength;
  }

  head(status: number, headers: Readonly<Record<string, string>>): void {
    this.#response.writeHead(status, headers);
  }

  write(chunk: string): void {
    this.#response.write(chunk);
  }

  end(chunk?: string): void {
    this.#response.end(chunk);
  }

  destroy(): void {
    this.#response.destroy();
  }

  onDrain(listener: () => void): void {
    this.#response.on('drain', listener);
  }

  onClose(listener: () => void): void {
    if (this.#response.closed) listener();
    else this.#response.on('close', listener);
  }
}
