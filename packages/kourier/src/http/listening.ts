import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../ports/clock.ts';
import { PROBLEMS, type ProblemCode, problemBody } from './problem.ts';

export interface Listening {
  /** `http://HOST:PORT`, as it can be called. */
  readonly url: string;
  /** Takes no more calls, ends the event streams, gives running calls `closeGraceMs`, then closes every connection. */
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly clock: Clock;
  readonly requestHeadMs: number;
  readonly requestMs: number;
  readonly closeGraceMs: number;
  /** Called first when closing. */
  readonly closing: () => void;
  /** Takes requests for a WebSocket; without it they are answered like any other, as those for another protocol are. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

const HEAD_BYTES = 16 * 1_024;

/** A server of Node's own, with a bound on everything that a client can keep open or send. Rejects as `listen` fails. */
export async function listening(
  answer: RequestListener,
  { host, port }: { readonly host: string; readonly port: number },
  options: ListenOptions,
): Promise<Listening> {
  const server = createServer(
    {
      maxHeaderSize: HEAD_BYTES,
      headersTimeout: options.requestHeadMs,
      requestTimeout: options.requestMs,
      connectionsCheckingInterval: Math.min(1_000, options.requestHeadMs),
      keepAliveTimeout: 60_000,
      keepAlive: true,
      // What a client only offers, as those of Java do with HTTP/2, is passed over (RFC 9110 section 7.8; asked from Node 22.21 on).
      shouldUpgradeCallback: ({ headers }) =>
        options.upgrade !== undefined && headers.upgrade?.toLowerCase() === 'websocket',
    },
    answer,
  );
  server.on('clientError', refuseBrokenRequest);
  if (options.upgrade !== undefined) server.on('upgrade', options.upgrade);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  let closed: Promise<void> | undefined;
  return {
    url: `http://${name}:${address.port}`,
    close() {
      closed ??= closeServer(server, options);
      return closed;
    },
  };
}

async function closeServer(server: Server, { clock, closeGraceMs, closing }: ListenOptions): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  closing();
  server.closeIdleConnections();
  const callOff = clock.wakeAt(clock.now() + closeGraceMs, () => server.closeAllConnections());
  await closed;
  callOff();
}

const BROKEN: Readonly<Record<string, readonly [ProblemCode, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request-timeout', 'Send the whole request at once.'],
  HPE_HEADER_OVERFLOW: ['head-too-large', 'Send fewer or shorter header fields.'],
};

/** What Node could not read as a request never becomes one; it is answered as a problem all the same. */
function refuseBrokenRequest(
  error: Error & { readonly code?: string },
  socket: Duplex & { _httpMessage?: unknown },
): void {
  // An answer that has begun cannot be followed by another one.
  if (!socket.writable || error.code === 'ECONNRESET' || hasAnswerBegun(socket)) {
    socket.destroy();
    return;
  }
  const [code, detail] = BROKEN[error.code ?? ''] ?? ['malformed-request', 'Send a request of HTTP/1.1.'];
  const { status, title } = PROBLEMS[code];
  const body = problemBody(code, detail);
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    'content-type: application/problem+json',
    'cache-control: no-store',
    'connection: close',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

/** Node keeps the answer under way on the socket, and its own default does the same look-up. */
function hasAnswerBegun(socket: { _httpMessage?: unknown }): boolean {
  const answer = socket._httpMessage as { headersSent?: boolean } | null | undefined;
  return answer?.headersSent === true;
}
