import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from './new-id.ts';

test('ids are random UUIDs of version 4, each another one', () => {
  const ids = Array.from({ length: 1_000 }, newId);
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(new Set(ids).size, ids.length);
});

test('every digit but those of version and variant takes every value', () => {
  const seen = Array.from({ length: 36 }, () => new Set<string>());
  for (let n = 0; n < 2_000; n += 1) {
    for (const [place, digit] of [...newId()].entries()) seen[place]?.add(digit);
  }
  const kinds = seen.map(({ size }) => size);
  const expected = [...'00000000-0000-4000-y000-000000000000'].map((mark) => ({ '-': 1, '4': 1, y: 4 })[mark] ?? 16);
  assert.deepEqual(kinds, expected);
});
