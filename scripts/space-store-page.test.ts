// What the page of a Space's store says of limits is what the code does.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { POSTGRES_LIMITS } from '../packages/kourier/src/adapters/space-store/postgres/limits.ts';
import { SPACE_STORE_LIMITS } from '../packages/kourier/src/ports/space/limits.ts';
import { amount } from './limit-amount.ts';

test('every limit of the store of a Space stands in its page with its value, and no other', () => {
  const page = readFileSync('docs/space-store.md', 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm)].map(([, name, value]) => [name, value?.trim()]);
  const limits = Object.entries({ ...SPACE_STORE_LIMITS, ...POSTGRES_LIMITS });
  assert.deepEqual(
    rows,
    limits.map(([name, value]) => [name, amount(name, value)]),
  );
});
