import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryStore } from '../adapters/store/memory/memory-store.ts';
import type { ThreadId } from '../core/thread/ids.ts';
import type { Lease } from '../ports/store.ts';
import { Stage } from './fixtures/stage.ts';

test('a thread that cannot be taken up holds up no other, and is tried again', async (t) => {
  const store = memoryStore();
  const on = new Stage(store, {});
  const sick = await on.open('first');
  const well = await on.open('second');
  await on.sent(2);
  await on.courier.drain();
  assert.deepEqual(await store.owing(10), [sick, well]);

  const claim = store.claim.bind(store);
  let isSick = true;
  t.mock.method(store, 'claim', (thread: ThreadId, lease: Lease, nowMs: number) =>
    thread === sick && isSick ? Promise.reject(new Error('damaged')) : claim(thread, lease, nowMs),
  );
  await on.restart();
  assert.match((await on.sent(3)).message.text, /second$/);
  const failures = on.observed.filter(({ event }) => event === 'store-failed');
  assert.deepEqual(failures, [{ event: 'store-failed', thread: sick, why: 'damaged' }]);

  isSick = false;
  await on.passes(5_000);
  assert.match((await on.sent(4)).message.text, /first$/);
  await on.courier.drain();
});
