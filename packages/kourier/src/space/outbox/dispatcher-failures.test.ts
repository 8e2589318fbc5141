import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextDue, owe, prepared } from '../../../contract/space-store-samples.ts';
import { ManualClock } from '../../../test/manual-clock.ts';
import type { SpaceStore } from '../../ports/space/space-store.ts';
import { OUTBOX_WAITS } from '../limits.ts';
import { running, storeFor, TAKEN } from './fixtures/running-dispatcher.ts';

test('a store that fails is asked again in a while, and a queue that it will not let go on is not sent all the time', async (t) => {
  const store = await storeFor(t);
  await prepared(store, 'task-1');
  await owe(store, 'task-1', 'space:a', ['1']);
  const broken = new Set(['claim']);
  const failing = <Name extends 'claim' | 'delivered'>(name: Name): SpaceStore[Name] =>
    ((...given: []) =>
      broken.has(name)
        ? Promise.reject(new TypeError('no'))
        : (store[name] as (...all: unknown[]) => unknown)(...given)) as SpaceStore[Name];
  const { dispatcher, clock, attempts, events, settle } = running(
    t,
    { ...store, claim: failing('claim'), delivered: failing('delivered') },
    async () => TAKEN,
  );
  dispatcher.wake();
  await settle();
  assert.deepEqual(events, [{ event: 'outbox-failed', error: 'TypeError' }]);
  assert.equal(clock.waits, 1);
  broken.delete('claim');
  broken.add('delivered');
  for (const sent of [1, 2]) {
    clock.pass(OUTBOX_WAITS.lookEveryMs);
    await settle();
    assert.equal(attempts.length, sent);
  }
  broken.clear();
  clock.pass(OUTBOX_WAITS.lookEveryMs);
  await settle();
  assert.equal(attempts.length, 3);
  assert.deepEqual(await store.counts(), { dead: 0, owed: 0 });
});

test('a delivery that fails as nobody foresaw has a back-off too', async (t) => {
  const store = await storeFor(t);
  await prepared(store, 'task-1');
  await owe(store, 'task-1', 'space:a', ['1']);
  const { dispatcher, clock, events, settle } = running(t, store, () => Promise.reject(new RangeError('a bug')));
  dispatcher.wake();
  await settle();
  assert.equal(events[0]?.error, 'A2A_SINK_FAILED RangeError');
  assert.equal(await nextDue(store), clock.now() + OUTBOX_WAITS.firstRetryMs);
});

test('what is due and cannot be claimed is looked for in a while, not all the time', async (t) => {
  const clock = new ManualClock(10_000);
  let claims = 0;
  const store = {
    claim: async () => {
      claims += 1;
      return [];
    },
    owedSinks: async () => [{ space: 'demo', sink: 'space:a', dueAt: 9_000 }],
  };
  const { dispatcher, settle } = running(t, store as unknown as SpaceStore, async () => TAKEN, { clock });
  dispatcher.wake();
  await settle();
  clock.pass(1);
  await settle();
  assert.equal(claims, 1);
  clock.pass(OUTBOX_WAITS.lookEveryMs);
  await settle();
  assert.equal(claims, 2);
});

test('a waking is not lost, however near to the end of a look it comes', async (t) => {
  for (let steps = 0; steps < 20; steps += 1) {
    let looks = 0;
    const store = {
      async owedSinks() {
        looks += 1;
        if (looks === 1) void soon();
        return [];
      },
    };
    const { dispatcher, settle } = running(t, store as unknown as SpaceStore, async () => TAKEN);
    const soon = async (): Promise<void> => {
      for (let step = 0; step < steps; step += 1) await undefined;
      dispatcher.wake();
    };
    dispatcher.wake();
    await settle();
    assert.equal(looks, 2, `after ${steps} steps`);
  }
});
