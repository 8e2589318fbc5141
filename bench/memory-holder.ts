// Opens streams, keeps them open, and says what each of them costs. Arguments: client or courier, the agent's URL, how many.
import type { AgentEvent } from '../packages/kourier/src/core/reply/agent-event.ts';
import type { MessageId } from '../packages/kourier/src/core/thread/ids.ts';
import { agentsFor, Carrying, registryFor } from './carrying.ts';

const [side = '', url = '', size = ''] = process.argv.slice(2);
const WARM = 100;
/** Opened at once: more would measure what waits, not what is open. */
const ABREAST = 50;

async function opener(): Promise<() => Promise<unknown>> {
  if (side === 'courier') {
    const carrying = await Carrying.to(url);
    return () => carrying.openUntilRunning();
  }
  const agents = agentsFor(registryFor(url));
  const options = { signal: new AbortController().signal, traceId: '0af7651916cd43dd8448eb211c80319c' };
  return () =>
    new Promise<void>((resolve, reject) => {
      const sink = ({ kind }: AgentEvent): 'more' => {
        if (kind === 'status') resolve();
        return 'more';
      };
      const message = { messageId: crypto.randomUUID() as string as MessageId, text: 'Go on' };
      void agents
        .agentFor('bench')
        ?.send(message, sink, options)
        .then(({ kind }) => reject(new Error(`a stream ended as ${kind}`)));
    });
}

async function openMany(open: () => Promise<unknown>, count: number): Promise<void> {
  for (let opened = 0; opened < count; opened += ABREAST) {
    await Promise.all(Array.from({ length: Math.min(ABREAST, count - opened) }, open));
  }
}

function used(): { readonly rss: number; readonly heap: number } {
  for (let round = 0; round < 4; round += 1) globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, heap: heapUsed + external };
}

const open = await opener();
await openMany(open, WARM);
const before = used();
await openMany(open, Number(size));
const after = used();
const each = (bytes: number): number => bytes / Number(size) / 1_024;
process.send?.(JSON.stringify({ rssKib: each(after.rss - before.rss), heapKib: each(after.heap - before.heap) }));
process.once('disconnect', () => process.exit(0));
