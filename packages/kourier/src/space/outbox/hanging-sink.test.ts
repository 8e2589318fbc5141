import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { owe, prepared } from '../../../contract/space-store-samples.ts';
import { machineClock } from '../../adapters/machine/clock.ts';
import { guardedUpstream } from '../../adapters/upstream/guarded/guarded-upstream.ts';
import type { SpacePolicy } from '../../ports/space/space-configuration.ts';
import { SPACE_LIMITS } from '../limits.ts';
import { deliverEvents } from './deliver-events.ts';
import { type DispatchEvent, Dispatcher } from './dispatcher.ts';
import { storeFor } from './fixtures/running-dispatcher.ts';

/** A webhook on a real socket, which takes what comes, or never answers. */
async function webhook(t: TestContext, answers: boolean) {
  const heard: string[] = [];
  let told = (): void => undefined;
  const server = createServer(async (request, response) => {
    heard.push((await request.setEncoding('utf8').toArray()).join(''));
    if (answers) response.writeHead(204).end();
    told();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const until = async (count: number): Promise<void> => {
    while (heard.length < count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      told = resolve;
      await promise;
    }
  };
  return { heard, until, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('while a webhook hangs with many tasks, others of this Space and of another are told at once', async (t) => {
  const [store, hangs, well] = [await storeFor(t), await webhook(t, false), await webhook(t, true)];
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const sinks = [
    { name: 'hangs', url: `http://${hangs.host}/`, secret },
    { name: 'well', url: `http://${well.host}/`, secret },
  ];
  const events: DispatchEvent[] = [];
  const dispatcher = new Dispatcher({
    ...{ store, clock: machineClock(), chance: Math.random, names: () => true },
    observe: (event) => void events.push(event),
    deliver: deliverEvents({
      policyOf: (id) => ({ id, sinks }) as unknown as SpacePolicy,
      clock: machineClock(),
      upstream: () => guardedUpstream({ route: 'public', enabled: true, trustedHosts: [hangs.host, well.host] }),
    }),
  });
  t.after(() => dispatcher.stop());
  for (let at = 0; at < 2 * SPACE_LIMITS.outboxQueues; at += 1) {
    await prepared(store, `task-${at}`);
    await owe(store, `task-${at}`, 'space:hangs', ['"hangs"']);
  }
  dispatcher.wake();
  await hangs.until(SPACE_LIMITS.outboxQueues);
  for (const [at, space] of ['demo', 'other'].entries()) {
    await prepared(store, `task-well-${space}`, { space });
    for (const payload of ['1', '2']) await owe(store, `task-well-${space}`, 'space:well', [payload]);
    dispatcher.wake();
    await well.until(2 * (at + 1));
    assert.deepEqual(well.heard.slice(-2), ['1', '2']);
  }
  // Had they waited for the webhook that hangs, its attempts would have been given up.
  assert.deepEqual(
    events.filter(({ event }) => event === 'event-failed'),
    [],
  );
  assert.equal(hangs.heard.length, SPACE_LIMITS.outboxQueues, 'it has its places, and no more');
});
