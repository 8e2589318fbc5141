import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { machineClock } from './clock.ts';

const START_MS = 1_700_000_000_000;

function mocked(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: START_MS });
  const woken: number[] = [];
  const clock = machineClock();
  return { clock, woken, wake: () => void woken.push(clock.now()), timers: t.mock.timers };
}

test('wakes once, at its deadline', (t) => {
  const { clock, woken, wake, timers } = mocked(t);
  clock.wakeAt(START_MS + 250, wake);
  timers.tick(249);
  assert.deepEqual(woken, []);
  timers.tick(1_000);
  assert.equal(woken.length, 1);
});

test('a deadline that has passed wakes soon, never within the call', (t) => {
  const { clock, woken, wake, timers } = mocked(t);
  clock.wakeAt(START_MS - 5_000, wake);
  assert.deepEqual(woken, []);
  timers.tick(1);
  assert.equal(woken.length, 1);
});

test('a deadline beyond what one timer holds is kept', (t) => {
  const { clock, woken, wake, timers } = mocked(t);
  const farMs = 2 ** 31 + 10_000;
  clock.wakeAt(START_MS + farMs, wake);
  timers.tick(farMs - 1);
  assert.deepEqual(woken, []);
  timers.tick(1);
  assert.deepEqual(woken, [START_MS + farMs]);
});

test('what was called off never wakes, in a later sleep of the same wait too', (t) => {
  const { clock, woken, wake, timers } = mocked(t);
  const callOff = clock.wakeAt(START_MS + 600_000, wake);
  timers.tick(300_000);
  callOff();
  callOff();
  timers.tick(600_000);
  assert.deepEqual(woken, []);
});

test('a clock that was set forward wakes within a minute', (t) => {
  const { clock, woken, wake, timers } = mocked(t);
  clock.wakeAt(START_MS + 3_600_000, wake);
  t.mock.method(Date, 'now', () => START_MS + 7_200_000);
  timers.tick(60_000);
  assert.equal(woken.length, 1);
});

test('a clock that was set back does not wake before its deadline', (t) => {
  const { clock, woken, wake, timers } = mocked(t);
  t.mock.method(Date, 'now', () => START_MS - 1_000);
  clock.wakeAt(START_MS + 100, wake);
  timers.tick(1_050);
  assert.deepEqual(woken, []);
});
