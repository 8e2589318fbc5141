import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeLeft } from './time-left.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

test('the time left is told in whole units, and in none that changes every second', () => {
  const words = (leftMs: number): string => timeLeft(leftMs).words;
  assert.equal(words(72 * HOUR_MS), '3 days left');
  assert.equal(words(47 * HOUR_MS), '47 h left');
  assert.equal(words(2 * HOUR_MS), '2 h left');
  assert.equal(words(2 * HOUR_MS - 1), '119 min left');
  assert.equal(words(MINUTE_MS), '1 min left');
  assert.equal(words(MINUTE_MS - 1), 'less than a minute left');
  assert.equal(words(0), 'time is up');
  assert.equal(words(-5), 'time is up');
});

test('it is looked at again exactly when its words change', () => {
  for (let leftMs = 100 * HOUR_MS, looks = 0; leftMs > 0; looks += 1) {
    const { words, changesInMs = 0 } = timeLeft(leftMs);
    assert.equal(timeLeft(leftMs - changesInMs + 2).words, words);
    assert.notEqual(timeLeft(leftMs - changesInMs).words, words);
    assert.ok(looks < 200);
    leftMs -= changesInMs;
  }
});
