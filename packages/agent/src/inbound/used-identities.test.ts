import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsedIdentities } from './used-identities.ts';

test('an id is remembered as long as it must be, whenever it came', () => {
  for (const atMs of [0, 1, 50, 99]) {
    const used = new UsedIdentities({ keptMs: 100, most: 10 });
    assert.equal(used.take('first', 0), 'first');
    assert.equal(used.take('a', atMs), 'first');
    for (const laterMs of [atMs, atMs + 1, 100, atMs + 99]) assert.equal(used.take('a', laterMs), 'used', `${atMs}`);
  }
});

test('what is remembered is bounded: past it nothing is taken, until the old ones are forgotten', () => {
  const used = new UsedIdentities({ keptMs: 100, most: 3 });
  for (const id of ['a', 'b', 'c']) assert.equal(used.take(id, 0), 'first');
  assert.equal(used.take('d', 50), 'full');
  assert.equal(used.take('a', 50), 'used');
  assert.equal(used.take('d', 100), 'full');
  assert.equal(used.take('d', 200), 'first');
});

test('a clock that is put back neither forgets them nor keeps them for ever', () => {
  const used = new UsedIdentities({ keptMs: 100, most: 2 });
  used.take('a', 1_000_000);
  assert.equal(used.take('a', 0), 'used');
  assert.equal(used.take('b', 0), 'first');
  assert.equal(used.take('c', 100), 'full');
  assert.equal(used.take('c', 200), 'first');
});
