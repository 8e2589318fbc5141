import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Behaviour, serveHostile } from './hostile/hostile-agent.ts';
import { MIB, times } from './hostile/says.ts';
import { writeConfiguration } from './process/configuration.ts';
import { EchoAgent, echo } from './process/echo-agent.ts';
import { folderFor, ProductProcess } from './process/product-process.ts';
import { answersOf, noticesOf, ThreadClient } from './process/thread-client.ts';

const CROWD = 120;
const HEAP_MEBIBYTES = 256;

test(`${CROWD} threads whose agent stops within a large frame hold no more together than there is room for`, async (t) => {
  // Half of what a frame may have, in characters that take two bytes each.
  const quarter = 'ы'.repeat(MIB);
  let open = 0;
  const allOpen = Promise.withResolvers<void>();
  const behaviour: Behaviour = {
    wire: '1.0',
    on: {
      send: () => ({
        bytes: (async function* () {
          open += 1;
          if (open === CROWD) allOpen.resolve();
          await allOpen.promise;
          yield 'data: ';
          yield* times(4, () => quarter);
        })(),
        after: 'hold',
      }),
    },
  };
  const hostile = await serveHostile(new Map([['crowd', behaviour]]), () => Promise.resolve());
  t.after(() => hostile.close());
  const agent = await EchoAgent.start(t);
  const folder = folderFor(t);
  const agents = new Map([
    ['crowd', hostile.url('crowd')],
    ['echo', agent.url],
  ]);
  const timings = { streamIdle: '3s', retryBackoffInitial: '1s', retryBackoffMax: '1s', giveUpAfter: '1s' };
  const config = writeConfiguration(folder, agents, timings);
  const product = await ProductProcess.startWithin(t, HEAP_MEBIBYTES, '--config', config, '--data', folder);
  const client = new ThreadClient(product.url);
  const threads = await Promise.all([...times(CROWD, () => client.open('crowd', 'all at once'))]);
  await allOpen.promise;
  const other = await client.open('echo', 'meanwhile');
  assert.deepEqual(answersOf(await client.settled(other)), [echo('meanwhile')]);
  for (const thread of threads) assert.deepEqual(noticesOf(await client.settled(thread)), ['unreachable']);
  t.diagnostic(`peak ${product.peakMebibytes().toFixed(0)} MiB`);
});
