import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer, type TLSSocket } from 'node:tls';
import type { Dial, DialTarget, GuardedFetchOptions } from '../src/index.ts';
import { certificateFor } from './certificate.ts';

/** Where the names of these tests lead, as far as they are told. */
export const PUBLIC_ADDRESS = '93.184.216.34';

export interface Visit {
  readonly socket: TLSSocket;
  /** Headers and body. */
  readonly request: string;
}

interface FarHostOptions {
  /** What each lookup in turn answers; the last answer stays. A public address unless given. */
  readonly answers?: readonly (readonly string[])[];
  readonly names?: readonly string[];
  /** The bytes that each request is answered with. Without it the connection stays open for the test to write. */
  readonly response?: string;
}

/**
 * A host on the internet, as a test sees it: names that are looked up, and TLS behind addresses that are dialled. It
 * keeps what it was asked, by whom and under which name.
 */
export async function farHost(t: { after(end: () => unknown): void }, options: FarHostOptions = {}) {
  const { answers = [[PUBLIC_ADDRESS]], names = ['agent.example'], response } = options;
  const certificate = certificateFor(names);
  const server = createServer({ ...certificate });
  const visits: Visit[] = [];
  const waiting: ((visit: Visit) => void)[] = [];
  const sockets = new Set<TLSSocket>();
  server.on('tlsClientError', () => undefined);
  server.on('secureConnection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let request = '';
    socket.on('data', (bytes) => {
      request += bytes;
      if (!isWhole(request)) return;
      const visit = { socket, request };
      visits.push(visit);
      waiting.shift()?.(visit);
      if (response !== undefined) socket.end(response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  const looked: string[] = [];
  const dialled: DialTarget[] = [];
  const resolve = async (hostname: string) => answers[Math.min(looked.push(hostname), answers.length) - 1] ?? [];
  const dial: Dial = async (to) => {
    dialled.push(to);
    const socket = connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
    await once(socket, 'connect');
    return socket;
  };
  const access: GuardedFetchOptions = { resolve, dial, ca: certificate.cert };
  return {
    access,
    looked,
    dialled,
    visits,
    port: (server.address() as AddressInfo).port,
    /** The next request that comes in. */
    visited: () => new Promise<Visit>((resolveVisit) => waiting.push(resolveVisit)),
  };
}

function isWhole(request: string): boolean {
  const [headers = '', body] = request.split('\r\n\r\n');
  return body?.length === Number(/^content-length: (\d+)$/m.exec(headers)?.[1] ?? 0);
}

/** A whole response of the wire. */
export function http(status: string, headers: Readonly<Record<string, string>> = {}, body = ''): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`;
}

/** That the other side has dropped the connection, be it with an error. */
export function closed(socket: Duplex): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once('close', () => resolve());
  });
}

/** The code of what a promise rejects with, and its detail. */
export async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'not refused';
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    const { code, detail } = error as Error & { readonly code: unknown; readonly detail?: unknown };
    return detail === undefined ? String(code) : `${code} ${detail}`;
  }
}
