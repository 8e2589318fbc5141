import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeConfiguration } from './process/configuration.ts';
import { folderFor, ProductProcess } from './process/product-process.ts';
import { noticesOf, ThreadClient } from './process/thread-client.ts';

/** Nothing of these is waited for in vain. */
const TIMINGS = { retryBackoffInitial: '20ms', retryBackoffMax: '50ms', giveUpAfter: '3s' };

test('C175, C176 a turn for a public agent whose name leads inside is given up, and nobody inside is called', {
  timeout: 600_000,
}, async (t) => {
  let connections = 0;
  const inside = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  inside.listen(0);
  await once(inside, 'listening');
  t.after(() => inside.close());
  const { port } = inside.address() as AddressInfo;
  const folder = folderFor(t);
  const places: Readonly<Record<string, string>> = {
    named: `https://localhost:${port}/agent`,
    literal: `https://[::ffff:127.0.0.1]:${port}/agent`,
  };
  const file = writeConfiguration(folder, new Map(Object.entries(places)), TIMINGS, 'public');
  const product = await ProductProcess.start(t, '--config', file, '--data', join(folder, 'data'));
  const client = new ThreadClient(product.url);
  for (const binding of Object.keys(places)) {
    const timeline = await client.settled(await client.open(binding, 'Hello'));
    assert.deepEqual(noticesOf(timeline), ['unreachable'], binding);
  }
  assert.equal(connections, 0);
  const why = 'agent card: no connection (A2A_EGRESS_ADDRESS_REFUSED: loopback)';
  assert.ok(product.err.filter((line) => line.includes(why)).length >= 4, product.err.join('\n'));
});
