import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimOne, nextDue, owe, prepared } from '../../../contract/space-store-samples.ts';
import { ManualClock } from '../../../test/manual-clock.ts';
import { OUTBOX_WAITS, SPACE_LIMITS } from '../limits.ts';
import type { Attempt } from './dispatcher.ts';
import { DOWN, hang, running, storeFor, TAKEN } from './fixtures/running-dispatcher.ts';

test('the events of a task go in their order, and nothing is owed then', async (t) => {
  const store = await storeFor(t);
  await prepared(store, 'task-1');
  await owe(store, 'task-1', 'space:a', ['1', '2', '3']);
  const { dispatcher, attempts, events, settle } = running(t, store, async () => TAKEN);
  dispatcher.wake();
  await settle();
  assert.deepEqual(attempts, ['task-1 1', 'task-1 2', 'task-1 3']);
  assert.deepEqual(events[0], { event: 'event-delivered', sink: 'space:a', taskId: 'task-1' });
  assert.deepEqual(await store.counts(), { dead: 0, owed: 0 });
  await owe(store, 'task-1', 'space:a', ['4']);
  dispatcher.wake();
  await settle();
  assert.equal(attempts.at(-1), 'task-1 4');
});

test('a sink that fails is called later and later, what comes after waits behind it, and it dies; a replay begins anew', async (t) => {
  const store = await storeFor(t);
  await prepared(store, 'task-1');
  await owe(store, 'task-1', 'space:a', ['1', '2']);
  let answer: Attempt = DOWN;
  const { dispatcher, clock, attempts, events, settle } = running(t, store, async () => answer);
  dispatcher.wake();
  await settle();
  for (let failed = 1; failed < SPACE_LIMITS.outboxAttempts; failed += 1) {
    assert.equal(attempts.length, failed);
    const waitMs = Math.min(1_000 * 2 ** (failed - 1), OUTBOX_WAITS.lastRetryMs);
    for (let left = waitMs - 1; left > 0; left -= OUTBOX_WAITS.lookEveryMs) {
      clock.pass(Math.min(left, OUTBOX_WAITS.lookEveryMs));
      await settle();
    }
    assert.equal(attempts.length, failed, 'not before its time');
    clock.pass(1);
    await settle();
  }
  assert.equal(attempts.length, SPACE_LIMITS.outboxAttempts);
  assert.ok(attempts.every((attempt) => attempt === 'task-1 1'));
  assert.deepEqual(events.at(-1), { event: 'queue-died', sink: 'space:a', taskId: 'task-1', error: 'HTTP_503' });
  const [dead] = (await store.dead('demo', { limit: 1 })).queues;
  assert.equal(dead?.events, 2);
  answer = TAKEN;
  assert.ok(await store.replay('demo', dead?.id ?? '', clock.now()));
  dispatcher.wake();
  await settle();
  assert.deepEqual(attempts.slice(-2), ['task-1 1', 'task-1 2']);
  assert.deepEqual(await store.counts(), { dead: 0, owed: 0 });
});

test('what a sink asks for is waited for, to the longest wait; a success forgets the failures before', async (t) => {
  const store = await storeFor(t);
  await prepared(store, 'task-1');
  await owe(store, 'task-1', 'space:a', ['1', '2']);
  const answers: Attempt[] = [{ ...DOWN, retryAfterMs: 4_000 }, TAKEN, DOWN, { ...DOWN, retryAfterMs: 9_999_999 }];
  const { dispatcher, clock, attempts, settle } = running(t, store, async () => answers.shift() ?? TAKEN);
  dispatcher.wake();
  await settle();
  clock.pass(3_999);
  await settle();
  assert.equal(attempts.length, 1);
  clock.pass(1);
  await settle();
  assert.deepEqual(attempts, ['task-1 1', 'task-1 1', 'task-1 2']);
  clock.pass(OUTBOX_WAITS.firstRetryMs);
  await settle();
  assert.equal(attempts.length, 4, 'its first failure after a success');
  assert.equal(await nextDue(store), clock.now() + OUTBOX_WAITS.lastRetryMs);
});

const REFUSED = { kind: 'refused', error: 'HTTP_404' } as const;

test('an event that a sink will not take dies soon: by its refusals, not by what failed before them', async (t) => {
  const store = await storeFor(t);
  await prepared(store, 'task-1');
  await owe(store, 'task-1', 'space:a', ['1', '2']);
  const answers: Attempt[] = [REFUSED, REFUSED, TAKEN, ...Array(5).fill(DOWN), REFUSED, DOWN, REFUSED];
  const { dispatcher, clock, attempts, settle } = running(t, store, async () => answers.shift() ?? REFUSED);
  dispatcher.wake();
  const goOn = async (): Promise<void> => {
    await settle();
    clock.pass(((await nextDue(store)) ?? clock.now()) - clock.now());
    await settle();
  };
  for (let round = 0; answers.length > 0 && round < 12; round += 1) await goOn();
  assert.deepEqual(await store.counts(), { dead: 0, owed: 1 });
  await goOn();
  assert.deepEqual(await store.counts(), { dead: 1, owed: 1 });
  assert.equal(attempts.length, 12);
  const [dead] = (await store.dead('demo', { limit: 1 })).queues;
  assert.deepEqual([dead?.attempts, dead?.refusals, dead?.lastError], [9, SPACE_LIMITS.outboxRefusals, 'HTTP_404']);
  await store.replay('demo', dead?.id ?? '', clock.now());
  dispatcher.wake();
  for (let refused = 1; refused < SPACE_LIMITS.outboxRefusals; refused += 1) await goOn();
  assert.equal((await store.counts()).dead, 1);
  assert.equal(attempts.length, 12 + SPACE_LIMITS.outboxRefusals);
});

test('no attempt begins when the hold might end under it: the queue goes on in a new one', async (t) => {
  const store = await storeFor(t);
  await prepared(store, 'task-1');
  await owe(store, 'task-1', 'space:a', ['1', '2', '3']);
  const clock = new ManualClock(10_000);
  const ends: number[] = [];
  const { dispatcher, attempts, settle } = running(
    t,
    {
      ...store,
      claim: async (options) => {
        const queues = await store.claim(options);
        if (queues.length > 0) ends.push(options.until);
        return queues;
      },
    },
    async () => {
      assert.ok(clock.now() + OUTBOX_WAITS.attemptMs <= (ends.at(-1) ?? 0), 'it ends within its hold');
      clock.pass(OUTBOX_WAITS.attemptMs - 1);
      return TAKEN;
    },
    { clock },
  );
  dispatcher.wake();
  await settle();
  assert.deepEqual(attempts, ['task-1 1', 'task-1 2', 'task-1 3']);
  assert.equal(ends.length, 1);
  await owe(store, 'task-1', 'space:a', ['4', '5', '6', '7'], clock.now());
  dispatcher.wake();
  await settle();
  assert.deepEqual(attempts.slice(3), ['task-1 4', 'task-1 5', 'task-1 6', 'task-1 7']);
  assert.equal(ends.length, 3, 'the fourth of them was sent under another hold');
});

test('two dispatchers on one store bring each event once, and one takes up what the other died with', async (t) => {
  const store = await storeFor(t);
  const all = Array.from({ length: 100 }, (_, at) => `task-${at}`);
  for (const task of all) {
    await prepared(store, task);
    await owe(store, task, 'space:a', ['1', '2']);
  }
  const clock = new ManualClock(10_000);
  const [one, two] = [running(t, store, async () => TAKEN, { clock }), running(t, store, async () => TAKEN, { clock })];
  one.dispatcher.wake();
  two.dispatcher.wake();
  await one.settle();
  await one.settle();
  assert.ok(one.attempts.length > 0 && two.attempts.length > 0);
  assert.equal(new Set([...one.attempts, ...two.attempts]).size, 200);
  assert.equal(one.attempts.length + two.attempts.length, 200);

  await owe(store, 'task-1', 'space:a', ['3'], clock.now());
  await claimOne(store, clock.now(), clock.now() + OUTBOX_WAITS.holdMs);
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
  const { dispatcher, clock, events, settle } = running(t, store, (_queue, _event, signal) => hang(signal));
  dispatcher.wake();
  await settle();
  await dispatcher.stop();
  assert.equal(await nextDue(store), clock.now());
  assert.deepEqual([events, clock.waits], [[], 0]);
  dispatcher.wake();
  await settle();
  assert.equal(clock.waits, 0, 'what is stopped stays so');
});

test('what failed while the clock was ahead is tried again once that is set right', async (t) => {
  const store = await storeFor(t);
  await prepared(store, 'task-1');
  const clock = new ManualClock(10_000_000_000);
  await owe(store, 'task-1', 'space:a', ['1'], clock.now());
  const answers: Attempt[] = [DOWN];
  const { dispatcher, attempts, settle } = running(t, store, async () => answers.shift() ?? TAKEN, { clock });
  dispatcher.wake();
  await settle();
  assert.equal(attempts.length, 1);
  clock.pass(-1_000_000_000);
  // As anything does that happens in the Space.
  dispatcher.wake();
  await settle();
  assert.equal(attempts.length, 2);
  assert.deepEqual(await store.counts(), { dead: 0, owed: 0 });
});
