import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextDue, owe, prepared } from '../../../contract/space-store-samples.ts';
import { ManualClock } from '../../../test/manual-clock.ts';
import type { SpaceStore } from '../../ports/space/space-store.ts';
import { OUTBOX_WAITS, SPACE_LIMITS } from '../limits.ts';
import { DOWN, hang, running, storeFor, TAKEN } from './fixtures/running-dispatcher.ts';

/** More tasks than a sink has places, each with an event for it. */
async function crowd(store: SpaceStore, space: string, sink: string): Promise<void> {
  for (let at = 0; at < 2 * SPACE_LIMITS.outboxQueues; at += 1) {
    const task = `${space}-${sink.slice('space:'.length)}-${at}`;
    await prepared(store, task, { space });
    await owe(store, task, sink, ['1']);
  }
}

test('a sink that hangs holds up nobody else, and is given up in time to keep its hold', async (t) => {
  const store = await storeFor(t);
  await crowd(store, 'demo', 'space:hangs');
  await prepared(store, 'task-well');
  const { dispatcher, clock, attempts, events, settle } = running(t, store, ({ sink }, _event, signal) =>
    sink === 'space:well' ? Promise.resolve(TAKEN) : hang(signal),
  );
  dispatcher.wake();
  await settle();
  assert.equal(attempts.length, SPACE_LIMITS.outboxQueues);
  for (const payload of ['1', '2']) {
    await owe(store, 'task-well', 'space:well', [payload]);
    dispatcher.wake();
    await settle();
    assert.equal(attempts.at(-1), `task-well ${payload}`);
  }
  clock.pass(OUTBOX_WAITS.attemptMs);
  await settle();
  const given = events.filter(({ event }) => event === 'event-failed');
  assert.deepEqual(new Set(given.map(({ error }) => error)), new Set(['A2A_SINK_TIMEOUT']));
  assert.equal(given.length, SPACE_LIMITS.outboxQueues);
  assert.equal(attempts.length, 2 * SPACE_LIMITS.outboxQueues + 2, 'its other tasks have their turn');
  assert.equal(await nextDue(store), clock.now() + OUTBOX_WAITS.firstRetryMs);
});

test('many sinks of one Space that all hang keep no sink of another from its events, of the same name too', async (t) => {
  const store = await storeFor(t);
  const sinks = Array.from({ length: 20 }, (_, at) => `space:s${at}`);
  for (const sink of sinks) await crowd(store, 'demo', sink);
  await crowd(store, 'other', 'space:s0');
  const { dispatcher, attempts, settle } = running(t, store, ({ space }, _event, signal) =>
    space === 'other' ? Promise.resolve(TAKEN) : hang(signal),
  );
  dispatcher.wake();
  await settle();
  const of = (space: string) => attempts.filter((attempt) => attempt.startsWith(`${space}-`)).length;
  assert.equal(of('demo'), sinks.length * SPACE_LIMITS.outboxQueues);
  assert.equal(of('other'), 2 * SPACE_LIMITS.outboxQueues);
});

test('what is to be tried again has its time, also while a sink that has no place left is owed more', async (t) => {
  const store = await storeFor(t);
  await crowd(store, 'demo', 'space:hangs');
  await prepared(store, 'task-down');
  await owe(store, 'task-down', 'space:down', ['1']);
  const clock = new ManualClock(10_000);
  const tried: number[] = [];
  const { dispatcher, settle } = running(
    t,
    store,
    async ({ sink }, _event, signal) => {
      if (sink === 'space:hangs') return hang(signal);
      tried.push(clock.now());
      return DOWN;
    },
    { clock },
  );
  dispatcher.wake();
  await settle();
  for (const waitMs of [1_000, 2_000, 4_000]) {
    clock.pass(waitMs);
    await settle();
  }
  assert.deepEqual(tried, [10_000, 11_000, 13_000, 17_000]);
});
