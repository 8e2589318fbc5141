// One side of the bench of servers, in a process of its own: `server.ts ours|official|bare`. Says where it listens, and,
// when asked for its memory or its processor time, what it has used.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentBuilder, AgentServer, type Turn } from '../../packages/agent/src/index.ts';
import { bareServer } from './bare.ts';
import { officialServer } from './official.ts';
import { CHUNK, scriptOf } from './script.ts';

async function ourServer(): Promise<AgentServer['listener']> {
  const agent = new AgentBuilder({ name: 'Bench', description: 'A side of the bench.' }).answer(turn);
  const server = new AgentServer(agent, { url: 'http://127.0.0.1/' });
  await server.open();
  return server.listener;
}

async function* turn({ text }: Turn) {
  const script = scriptOf(text);
  if (script.kind === 'hold') await new Promise(() => undefined);
  const count = script.kind === 'chunks' ? script.count : 1;
  for (let n = 0; n < count; n += 1) yield CHUNK;
}

const side = process.argv[2];
const listener = side === 'ours' ? await ourServer() : side === 'official' ? officialServer() : bareServer;
const server = createServer({ keepAliveTimeout: 60_000 }, listener);
server.listen(0, '127.0.0.1', 4_096);
await once(server, 'listening');
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
process.on('message', () => {
  for (let round = 0; round < 4; round += 1) globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.(JSON.stringify({ rss, heap: heapUsed + external }));
});
process.once('disconnect', () => process.exit(0));
