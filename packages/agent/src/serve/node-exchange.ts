import type { IncomingMessage, ServerResponse } from 'node:http';
import { AGENT_LIMITS, HEARTBEAT_EVERY_MS } from '../limits.ts';
import type { Asked, Sink } from './sink.ts';

/** A request of Node's http server. */
export function nodeAsked(request: IncomingMessage, basePath: string): Asked | undefined {
  const { url = '/' } = request;
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  if (!path.startsWith(basePath)) return undefined;
  return new NodeAsked(request, path.slice(basePath.length), mark === -1 ? '' : url.slice(mark + 1));
}

class NodeAsked implements Asked {
  readonly #request: IncomingMessage;
  readonly #query: string;
  readonly method: string;
  readonly path: string;
  /** Whoever authenticates may take it off its argument. */
  readonly header: Asked['header'];

  constructor(request: IncomingMessage, path: string, query: string) {
    this.#request = request;
    this.#query = query;
    this.method = request.method ?? 'GET';
    this.path = path;
    this.header = (name) => headerOf(request, name);
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.#query);
  }

  get target(): string {
    return this.#request.url ?? '/';
  }

  body(limit: number): Promise<Uint8Array | undefined> {
    return readBytes(this.#request, limit);
  }
}

/** As the server before the agent left it: what its middleware took out or put in counts, not what came over the wire. */
function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

const NO_CHUNKS: Buffer[] = [];

/** `undefined` past the limit; the rest is then left unread, and the connection open for an answer. */
function readBytes(request: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  if (Number(headerOf(request, 'content-length') ?? 0) > limit) return Promise.resolve(undefined);
  // Nothing would come of it any more, and its caller would wait for ever.
  if (request.readableEnded) {
    const bytes = readBefore(request);
    return Promise.resolve(bytes.length > limit ? undefined : bytes);
  }
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = NO_CHUNKS;
    let bytes = 0;
    const data = (chunk: Buffer): void => {
      bytes += chunk.length;
      // Most bodies come in one piece, and a list that is pushed to has room for seventeen.
      if (chunks === NO_CHUNKS) chunks = [chunk];
      else chunks.push(chunk);
      if (bytes <= limit) return;
      request.pause();
      over();
    };
    const over = (): void => {
      // A stream stays open for hours: what it was asked for is not kept for so long.
      request.off('data', data).off('end', over).off('error', over).off('close', over);
      if (bytes > limit) resolve(undefined);
      else if (request.readableEnded) resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
      else reject(new Error('the connection broke'));
    };
    request.on('data', data).on('end', over).on('error', over).on('close', over);
  });
}

/** What a parser that stands before the agent, such as `express.json()`, made of the body; empty where it is gone. */
function readBefore({ body = '' }: IncomingMessage & { readonly body?: unknown }): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** As long as a stream waits for one. */
const STALLED_MS = HEARTBEAT_EVERY_MS * AGENT_LIMITS.stalledHeartbeats;

/** The answer as Node's http server sends it. */
export class NodeSink implements Sink {
  readonly #response: ServerResponse;
  readonly #stalledMs: number;
  #begun = false;

  /** `stalledMs`: a reader that has not taken all and takes nothing for so long after the end is cut off. */
  constructor(response: ServerResponse, stalledMs: number = STALLED_MS) {
    this.#response = response;
    this.#stalledMs = stalledMs;
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
    if (this.#begun) return;
    this.#begun = true;
    // Beside what was just written, the head leaves as it stands and not joined to that. The response keeps it for as long
    // as the stream is open: as the one string that was sent, in place of the twenty that it was put together from.
    this.#response.flushHeaders();
  }

  end(chunk?: string): void {
    this.#response.end(chunk);
    // Nearly every answer is taken at once.
    if (this.#response.writableLength === 0) return;
    // Without anybody who listens for it, Node cuts the connection then. Each byte that is taken begins it anew, and when all
    // is taken Node has its own time for a connection without a request.
    this.#response.socket?.setTimeout(this.#stalledMs);
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
