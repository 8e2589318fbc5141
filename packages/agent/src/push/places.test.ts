import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { PUSH_LIMITS } from '../limits.ts';
import { Places } from './places.ts';

const { signal } = new AbortController();

function fill(places: Places, count: number, host: (n: number) => string) {
  return Promise.all(Array.from({ length: count }, (_, n) => places.enter({ host: host(n), owner: 'one' }, signal)));
}

/** What has entered so far. */
async function entered(entering: readonly Promise<unknown>[]): Promise<readonly boolean[]> {
  await setImmediate();
  return Promise.all(entering.map((each) => Promise.race([each.then(() => true), setImmediate(false)])));
}

test('one host has so many places, and waits for one of its own while others enter', async () => {
  const places = new Places();
  const [leave] = await fill(places, PUSH_LIMITS.atOnceToHost, () => 'slow');
  const more = [
    places.enter({ host: 'slow', owner: 'one' }, signal),
    places.enter({ host: 'slow', owner: 'one' }, signal),
    places.enter({ host: 'other', owner: 'one' }, signal),
  ];
  assert.deepEqual(await entered(more), [false, false, true]);
  leave?.();
  assert.deepEqual(await entered(more), [true, false, true]);
});

test('all hosts together have so many places', async () => {
  const places = new Places();
  const [leave] = await fill(places, PUSH_LIMITS.atOnce, (n) => `host ${n}`);
  const more = [places.enter({ host: 'a', owner: 'one' }, signal), places.enter({ host: 'b', owner: 'one' }, signal)];
  assert.deepEqual(await entered(more), [false, false]);
  leave?.();
  assert.deepEqual(await entered(more), [true, false]);
});

test('who leaves the queue takes no place', async () => {
  const places = new Places();
  const [leave] = await fill(places, PUSH_LIMITS.atOnceToHost, () => 'slow');
  const stop = new AbortController();
  const leaving = places.enter({ host: 'slow', owner: 'one' }, stop.signal);
  const staying = places.enter({ host: 'slow', owner: 'one' }, signal);
  stop.abort(new Error('left'));
  await assert.rejects(leaving, { message: 'left' });
  await assert.rejects(places.enter({ host: 'free', owner: 'one' }, stop.signal), { message: 'left' });
  leave?.();
  assert.deepEqual(await entered([staying]), [true]);
});

test('whose notifications have the fewest places is next, however many of somebody else’s wait', async () => {
  const places = new Places();
  const leaves = await fill(places, PUSH_LIMITS.atOnce, (n) => `host ${n}`);
  const flood = Array.from({ length: 1_000 }, (_, n) => places.enter({ host: `more ${n}`, owner: 'one' }, signal));
  const others = ['two', 'three', 'two'].map((owner) => places.enter({ host: 'own', owner }, signal));
  for (const leave of leaves.slice(0, 4)) leave();
  assert.deepEqual(await entered([...others, ...flood.slice(0, 2)]), [true, true, true, true, false]);
});
