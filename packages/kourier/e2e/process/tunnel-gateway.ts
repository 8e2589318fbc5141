// A gateway of tunnels alone: `node tunnel-gateway.ts PORT`. Whoever asks it over HTTP asks the agent.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { machineClock } from '../../src/adapters/machine/clock.ts';
import { Tunnels } from '../../src/adapters/upstream/tunnel/tunnels.ts';
import { UpstreamFailed } from '../../src/ports/space/upstream.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const tunnels = new Tunnels({
  clock: machineClock(),
  changed: (_end, isConnected) => print(isConnected ? 'connected' : 'disconnected'),
});
const upstream = tunnels.upstreamOf('s', 'a');

const server = createServer(async (request, response) => {
  const abort = new AbortController();
  response.once('close', () => abort.abort());
  const body: Buffer[] = [];
  for await (const piece of request) body.push(piece as Buffer);
  try {
    const answer = await upstream.call(
      {
        ...{ method: request.method === 'POST' ? 'POST' : 'GET', url: `http://agent.example${request.url}` },
        headers: { 'content-type': request.headers['content-type'] ?? 'text/plain' },
        ...(request.method === 'POST' ? { body: Buffer.concat(body) } : {}),
      },
      abort.signal,
    );
    response.writeHead(answer.status, { 'content-type': answer.header('content-type') ?? 'text/plain' });
    await answer.read(async (piece) => {
      if (!response.write(piece)) await new Promise((drained) => response.once('drain', drained));
    });
    response.end();
  } catch (error) {
    const { code, sent } = error instanceof UpstreamFailed ? error : { code: String(error), sent: undefined };
    print(`failed ${code} sent ${sent}`);
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end(code);
  }
});
server.on('upgrade', (request, socket, head) => {
  if (request.headers.authorization === 'Bearer right-key')
    tunnels.accept(request, socket, head, { space: 's', agent: 'a' });
  else socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
});
server.listen(Number(process.argv[2]), '127.0.0.1', () => print(`listening ${(server.address() as AddressInfo).port}`));
