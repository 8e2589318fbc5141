import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OUTBOX_WAITS } from '../limits.ts';
import { retryAfterMs } from './back-off.ts';

test('waits double to the longest, and chance leaves out up to half of each', () => {
  assert.deepEqual(
    [1, 2, 3, 4].map((attempts) => retryAfterMs(attempts, 0)),
    [1_000, 2_000, 4_000, 8_000],
  );
  for (const attempts of [1, 5, 11, 20, 1_000, Number.MAX_SAFE_INTEGER]) {
    const [longest, shortest] = [retryAfterMs(attempts, 0), retryAfterMs(attempts, 1 - Number.EPSILON)];
    assert.ok(longest <= OUTBOX_WAITS.lastRetryMs);
    assert.equal(shortest, longest / 2);
  }
  assert.equal(retryAfterMs(1_000, 0), OUTBOX_WAITS.lastRetryMs);
});
