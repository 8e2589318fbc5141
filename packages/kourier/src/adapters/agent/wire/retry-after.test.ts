import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryAfterData, retryAfterHeader } from './retry-after.ts';

const NOW = Date.parse('Sun, 29 Nov 2026 12:00:00 GMT');

test('C026 seconds or a date, never below nothing, never past a day', () => {
  const read = (value: unknown) => retryAfterHeader(value, NOW);
  assert.equal(read('17'), 17_000);
  assert.equal(read(['2', '3']), 2_000);
  assert.equal(read('Sun, 29 Nov 2026 12:00:30 GMT'), 30_000);
  assert.equal(read('Sun, 29 Nov 2026 11:00:00 GMT'), 0);
  assert.equal(read('999999999'), 86_400_000);
  assert.deepEqual([read('soon'), read(''), read(undefined), read('-5x')], Array(4).fill(undefined));
});

test("decision 3: retryAfterMs in an error's data, or in a detail of it", () => {
  assert.equal(retryAfterData({ retryAfterMs: 250 }), 250);
  assert.equal(retryAfterData([{ '@type': 'x' }, { metadata: { retryAfterMs: '90' } }]), 90);
  assert.equal(retryAfterData({ retryAfterMs: 1e12 }), 86_400_000);
  assert.deepEqual(
    [retryAfterData(null), retryAfterData({ retryAfterMs: 'x' }), retryAfterData([1])],
    Array(3).fill(undefined),
  );
});
