import assert from 'node:assert/strict';
import { test } from 'node:test';
import { durationMs } from './duration.ts';

test('a duration is a whole number and a unit, more than nothing, at most a year', () => {
  const table: Record<string, number | undefined> = {
    '50ms': 50,
    '30s': 30_000,
    '5m': 300_000,
    '1h': 3_600_000,
    '1d': 86_400_000,
    '365d': 31_536_000_000,
    '366d': undefined,
    '0s': undefined,
    '30': undefined,
    s: undefined,
    '': undefined,
    '1.5h': undefined,
    '-1s': undefined,
    '1 s': undefined,
    '1h30m': undefined,
    '1S': undefined,
    '1s\n': undefined,
    '999999999999999d': undefined,
    [`${'9'.repeat(400)}d`]: undefined,
  };
  for (const [text, expected] of Object.entries(table)) assert.equal(durationMs(text), expected, JSON.stringify(text));
});
