import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { renderCard, type WireVersion } from './render-wire.ts';

export type SeenMethod = 'card' | 'send' | 'subscribe' | 'get' | 'cancel' | 'list' | 'other';

export interface SeenCall {
  readonly method: SeenMethod;
  readonly verb: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: { readonly id?: unknown; readonly method?: string; readonly params?: Record<string, unknown> };
}

export type Reaction = (response: ServerResponse, call: SeenCall) => void;

const METHODS: Readonly<Record<string, SeenMethod>> = {
  SendStreamingMessage: 'send',
  SubscribeToTask: 'subscribe',
  GetTask: 'get',
  CancelTask: 'cancel',
  ListTasks: 'list',
  'message/stream': 'send',
  'tasks/resubscribe': 'subscribe',
  'tasks/get': 'get',
  'tasks/cancel': 'cancel',
};

interface Tls {
  readonly cert: string;
  readonly key: string;
}

/** An agent on a real socket that answers what its script says, byte for byte, and remembers what it was asked. */
export class HttpAgent {
  readonly calls: SeenCall[] = [];
  readonly wire: WireVersion;
  readonly #server: ReturnType<typeof createServer | typeof createSecureServer>;
  readonly #script = new Map<SeenMethod, Reaction[]>();

  private constructor(wire: WireVersion, tls: Tls | undefined) {
    this.wire = wire;
    const listener: RequestListener = (request, response) => {
      void text(request).then((body) => {
        const parsed = (body === '' ? {} : JSON.parse(body)) as SeenCall['body'];
        const isCard = request.method === 'GET' && request.url?.endsWith('/.well-known/agent-card.json') === true;
        const method = isCard ? 'card' : (METHODS[parsed.method ?? ''] ?? 'other');
        const path = request.url ?? '';
        const call = { method, verb: request.method ?? '', path, headers: request.headers, body: parsed };
        this.calls.push(call);
        const byDefault = isCard ? json(renderCard(wire)) : status(500);
        (this.#script.get(method)?.shift() ?? byDefault)(response, call);
      });
    };
    this.#server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener);
  }

  /** With a certificate it serves HTTPS. */
  static async start(wire: WireVersion, tls?: Tls): Promise<HttpAgent> {
    const agent = new HttpAgent(wire, tls);
    await new Promise<void>((resolve) => agent.#server.listen(0, '127.0.0.1', resolve));
    return agent;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Of plain HTTP. */
  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** What the next calls of a method get, in order. A card is good by default, anything else an HTTP 500. */
  on(method: SeenMethod, ...reactions: readonly Reaction[]): this {
    this.#script.set(method, [...(this.#script.get(method) ?? []), ...reactions]);
    return this;
  }

  /** Takes back what is scripted for a method and not used up. */
  forget(method: SeenMethod): this {
    this.#script.delete(method);
    return this;
  }

  seen(method: SeenMethod): readonly SeenCall[] {
    return this.calls.filter((call) => call.method === method);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** A JSON document, as it is. */
export function json(value: unknown, type = 'application/json'): Reaction {
  return (response) => void response.writeHead(200, { 'content-type': type }).end(JSON.stringify(value));
}

export function status(code: number, headers: Record<string, string> = {}, body = ''): Reaction {
  return (response) => void response.writeHead(code, headers).end(body);
}

/** One JSON-RPC response, `{result}` or `{error}`, to the id that was asked. */
export function reply(outcome: object, code = 200, headers: Record<string, string> = {}): Reaction {
  return (response, { body }) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: body.id, ...outcome }));
  };
}

/** The bytes of a body, and nothing else. */
export function raw(body: string | Uint8Array, type = 'text/event-stream'): Reaction {
  return (response) => void response.writeHead(200, { 'content-type': type }).end(body);
}

/** Takes the call and says nothing. */
export const silence: Reaction = () => undefined;

export const loseConnection: Reaction = (response) => void response.destroy();

/** One event with a result. */
export const frame = (result: unknown, id: unknown = 1): string =>
  `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`;

/** Writes frames and hands the open response on. */
export function stream(frames: readonly string[], then: (response: ServerResponse) => void): Reaction {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    // What follows is done when the frames have left, so that a lost connection does not lose them too.
    response.write(`:\n\n${frames.join('')}`, () => then(response));
  };
}
