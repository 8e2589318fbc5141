import assert from 'node:assert/strict';
import { test } from 'node:test';
import { owe, prepared } from '../../../contract/space-store-samples.ts';
import { ManualClock } from '../../../test/manual-clock.ts';
import type { SpaceStore } from '../../ports/space/space-store.ts';
import { OUTBOX_WAITS } from '../limits.ts';
import { running, storeFor, TAKEN } from './fixtures/running.ts';

test('no attempt begins when the hold might end under it: the queue goes on in a new one', async (t) => {
  const store = await storeFor(t);
  await prepared(store, 'task-1');
  await owe(store, 'task-1', 'space:a', ['1', '2', '3']);
  const clock = new ManualClock(10_000);
  const holds: number[] = [];
  const { dispatcher, attempts, settle } = running(
    t,
    {
      ...store,
      claim: async (options) => {
        const queues = await store.claim(options);
        holds.push(...queues.map(({ hold }) => hold));
        return queues;
      },
    },
    async () => {
      clock.pass(OUTBOX_WAITS.attemptMs - 1);
      return TAKEN;
    },
    clock,
  );
  dispatcher.wake();
  await settle();
  assert.deepEqual(attempts, ['task-1 1', 'task-1 2', 'task-1 3']);
  assert.equal(holds.length, 1);
  await owe(store, 'task-1', 'space:a', ['4', '5', '6', '7'], clock.now());
  dispatcher.wake();
  await settle();
  assert.equal(attempts.length, 7);
  assert.equal(holds.length, 3, 'the fourth event was sent under another hold');
});

test('two dispatchers on one store bring each event once, and one takes up what the other died with', async (t) => {
  const store = await storeFor(t);
  const all = Array.from({ length: 100 }, (_, at) => `task-${at}`);
  for (const task of all) {
    await prepared(store, task);
    await owe(store, task, 'space:a', ['1', '2']);
  }
  const clock = new ManualClock(10_000);
  const [one, two] = [running(t, store, async () => TAKEN, clock), running(t, store, async () => TAKEN, clock)];
  one.dispatcher.wake();
  two.dispatcher.wake();
  await one.settle();
  await one.settle();
  assert.ok(one.attempts.length > 0 && two.attempts.length > 0);
  assert.equal(new Set([...one.attempts, ...two.attempts]).size, 200);
  assert.equal(one.attempts.length + two.attempts.length, 200);

  await owe(store, 'task-1', 'space:a', ['3'], clock.now());
  await store.claim({ now: clock.now(), until: clock.now() + OUTBOX_WAITS.holdMs, limit: 1 });
  one.dispatcher.wake();
  await one.settle();
  assert.notEqual(one.attempts.at(-1), 'task-1 3', 'somebody holds it');
  for (let passed = 0; passed < OUTBOX_WAITS.holdMs; passed += OUTBOX_WAITS.lookEveryMs) {
    clock.pass(OUTBOX_WAITS.lookEveryMs);
    await one.settle();
  }
  assert.equal([...one.attempts, ...two.attempts].filter((attempt) => attempt === 'task-1 3').length, 1);
});

test('stopping calls off what is under way, and lets go of it at once', async (t) => {
  const store = await storeFor(t);
  await prepared(store, 'task-1');
  await owe(store, 'task-1', 'space:a', ['1']);
  const { dispatcher, clock, events, settle } = running(
    t,
    store,
    (_queue, _event, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  );
  dispatcher.wake();
  await settle();
  await dispatcher.stop();
  assert.equal(await store.nextDue(), clock.now());
  assert.deepEqual([events, clock.waits], [[], 0]);
  dispatcher.wake();
  await settle();
  assert.equal(clock.waits, 0, 'what is stopped stays so');
});

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

test('what is due and cannot be claimed is looked for in a while, not all the time', async (t) => {
  const clock = new ManualClock(10_000);
  let claims = 0;
  const store = {
    claim: async () => {
      claims += 1;
      return [];
    },
    nextDue: async () => 9_000,
  };
  const { dispatcher, settle } = running(t, store as unknown as SpaceStore, async () => TAKEN, clock);
  dispatcher.wake();
  await settle();
  clock.pass(1);
  await settle();
  assert.equal(claims, 1);
  clock.pass(OUTBOX_WAITS.lookEveryMs);
  await settle();
  assert.equal(claims, 2);
});
