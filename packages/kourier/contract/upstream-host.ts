import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';

export interface UpstreamVisit {
  readonly socket: Socket;
  /** Its head and body, each byte a character. */
  readonly request: string;
  /** Writes; resolves when it has left this process. */
  write(text: string): Promise<void>;
}

/** An agent's host on a real socket that knows nothing of HTTP but where a request ends: a test writes what it answers. */
export class UpstreamHost {
  readonly visits: UpstreamVisit[] = [];
  connections = 0;
  /** Of the time when it listened; nobody listens there once it is stopped. */
  port = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #waiting: ((visit: UpstreamVisit) => void)[] = [];
  #response: string | undefined;

  private constructor(tls: { readonly cert: string; readonly key: string } | undefined) {
    const take = (socket: Socket): void => this.#take(socket);
    this.#server = tls === undefined ? createServer(take) : createSecureServer(tls, take);
    this.#server.on('tlsClientError', () => undefined);
  }

  static async start(tls?: { readonly cert: string; readonly key: string }): Promise<UpstreamHost> {
    const host = new UpstreamHost(tls);
    host.#server.listen(0, '127.0.0.1');
    await once(host.#server, 'listening');
    host.port = (host.#server.address() as AddressInfo).port;
    return host;
  }

  /** Every request from now on is answered with these bytes. */
  answer(response: string): void {
    this.#response = response;
  }

  /** The next request that comes in. */
  visited(): Promise<UpstreamVisit> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #take(socket: Socket): void {
    this.connections += 1;
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    let request = '';
    socket.on('data', (bytes: Buffer) => {
      request += bytes.toString('latin1');
      if (!isWhole(request)) return;
      const write = (text: string) => new Promise<void>((resolve) => socket.write(text, 'latin1', () => resolve()));
      const visit = { socket, request, write };
      request = '';
      this.visits.push(visit);
      this.#waiting.shift()?.(visit);
      if (this.#response !== undefined) socket.write(this.#response, 'latin1');
    });
  }
}

function isWhole(request: string): boolean {
  const end = request.indexOf('\r\n\r\n');
  const length = Number(/^content-length: (\d+)\r?$/im.exec(request.slice(0, end))?.[1] ?? 0);
  return end !== -1 && request.length === end + 4 + length;
}

/** A head, and a body as it stands. */
export function http(status: string, headers: Readonly<Record<string, string | number>> = {}, body = ''): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`;
}

/** One chunk of a chunked body; none is its end. */
export const chunk = (text = ''): string => `${text.length.toString(16)}\r\n${text}\r\n`;

/** That the other side has dropped the connection, be it with an error. */
export function dropped({ socket }: UpstreamVisit): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once('close', () => resolve());
  });
}
