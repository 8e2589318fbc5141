import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PUSH_LIMITS } from '../limits.ts';
import { backOff } from './back-off.ts';

test('pauses double up to a cap, and half of each is chance', () => {
  assert.deepEqual(
    [1, 2, 3, 4].map((attempts) => backOff(attempts, 0)),
    [500, 1_000, 2_000, 4_000],
  );
  assert.deepEqual(
    [1, 2, 3, 4].map((attempts) => backOff(attempts, 1)),
    [1_000, 2_000, 4_000, 8_000],
  );
  assert.equal(backOff(1, 0.5), 750);
  assert.equal(backOff(5_000, 1), PUSH_LIMITS.retryMs);
});
