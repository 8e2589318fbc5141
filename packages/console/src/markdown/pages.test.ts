import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Block } from './blocks.ts';
import { pagesOf } from './pages.ts';

const blocks = (count: number, characters: number): Block[] =>
  Array.from({ length: count }, () => ({ kind: 'plain', raw: 'x'.repeat(characters) }));

test('a page is full after so many blocks, or so much text', () => {
  assert.deepEqual(
    pagesOf(blocks(100, 10), []).map(({ length }) => length),
    [40, 40, 20],
  );
  assert.deepEqual(
    pagesOf(blocks(5, 9_000), []).map(({ length }) => length),
    [2, 2, 1],
  );
  assert.deepEqual(pagesOf([], []), []);
});

test('a page that did not change is the same array', () => {
  const first = blocks(100, 10);
  const before = pagesOf(first, []);
  const after = pagesOf([...first, ...blocks(1, 10)], before);
  assert.deepEqual(
    after.map((page, at) => page === before[at]),
    [true, true, false],
  );
});
