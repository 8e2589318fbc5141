import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SocketHub } from './delivery/socket-hub.ts';
import type { WebApi } from './web-api.ts';

/** Loopback, on a port that was free. */
export async function listen(
  api: WebApi,
  sockets: SocketHub,
  posted: (path: string, body: string) => number,
): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://slack');
    const method = /^\/api\/([\w.]+)$/.exec(pathname)?.[1];
    if (method !== undefined) return void api.answer(method, request, response);
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => response.writeHead(posted(pathname, body)).end('ok'));
  });
  server.on('upgrade', (request, raw, head) => sockets.upgrade(request, raw, head));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
