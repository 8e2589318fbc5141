import assert from 'node:assert/strict';
import { test } from 'node:test';
import { owe, prepared } from '../../../contract/space-store-samples.ts';
import { ManualClock } from '../../../test/manual-clock.ts';
import { OUTBOX_WAITS } from '../limits.ts';
import type { Attempt } from './dispatcher.ts';
import { running, storeFor, TAKEN } from './fixtures/running-dispatcher.ts';

test('a process that has not read of a sink yet leaves what is owed to it to those that have', async (t) => {
  const store = await storeFor(t);
  await prepared(store, 'task-1');
  await owe(store, 'task-1', 'space:new', ['1', '2']);
  const clock = new ManualClock(10_000);
  const old = running(t, store, async () => ({ kind: 'gone' }), { clock, names: () => false });
  old.dispatcher.wake();
  await old.settle();
  assert.deepEqual(await store.counts(), { dead: 0, owed: 2 });
  const fresh = running(t, store, async () => TAKEN, { clock });
  fresh.dispatcher.wake();
  await fresh.settle();
  assert.deepEqual([old.attempts, fresh.attempts], [[], ['task-1 1', 'task-1 2']]);
});

test('what is owed to a sink that nobody names any more is forgotten in a while, from when it was due', async (t) => {
  const store = await storeFor(t);
  const clock = new ManualClock(10_000);
  for (const [at, task] of ['task-1', 'task-2'].entries()) {
    await prepared(store, task);
    await owe(store, task, 'space:gone', ['1', '2'], clock.now() + at);
  }
  const { dispatcher, attempts, events, settle } = running(t, store, async () => TAKEN, { clock, names: () => false });
  dispatcher.wake();
  await settle();
  for (const [waitMs, owed] of [
    [OUTBOX_WAITS.unnamedMs - 1, 4],
    [1, 2],
    [1, 0],
  ] as const) {
    clock.pass(waitMs);
    await settle();
    assert.deepEqual(await store.counts(), { dead: 0, owed });
  }
  assert.deepEqual([attempts, events], [[], []]);
});

test('a sink that goes while its events are brought may come back in a while, and gets the rest of them', async (t) => {
  const store = await storeFor(t);
  await prepared(store, 'task-1');
  await owe(store, 'task-1', 'space:a', ['1', '2', '3']);
  let named = true;
  const answers: Attempt[] = [TAKEN, { kind: 'gone' }];
  const { dispatcher, clock, attempts, settle } = running(
    t,
    store,
    async () => {
      const answer = answers.shift() ?? TAKEN;
      if (answer.kind === 'gone') named = false;
      return answer;
    },
    { names: () => named },
  );
  dispatcher.wake();
  await settle();
  assert.deepEqual(await store.counts(), { dead: 0, owed: 2 });
  clock.pass(OUTBOX_WAITS.unnamedMs - 1);
  await settle();
  assert.equal(attempts.length, 2);
  named = true;
  dispatcher.wake();
  await settle();
  assert.deepEqual(attempts, ['task-1 1', 'task-1 2', 'task-1 2', 'task-1 3']);
  assert.deepEqual(await store.counts(), { dead: 0, owed: 0 });
});
