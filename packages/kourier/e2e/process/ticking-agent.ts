// An agent that sends an event now and then until it is killed: `node ticking-agent.ts`. `GET /whole` has an end.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const TICK_MS = 5;

const server = createServer((request, response) => {
  if (request.url === '/whole') return void response.end('whole');
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let count = 0;
  const ticking = setInterval(() => response.write(`data: ${count++}\n\n`), TICK_MS);
  response.once('close', () => {
    clearInterval(ticking);
    process.stdout.write(`let go of ${request.url}\n`);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`);
});
