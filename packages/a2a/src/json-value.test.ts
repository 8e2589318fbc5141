import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdsAtMost, idOf, isWithinDepth, parseJson } from './json-value.ts';

test('C031 a number is an id in its decimal form; null and empty are not set', () => {
  assert.deepEqual([7, 0, 'x', '', null, undefined, true, {}].map(idOf), ['7', '0', 'x', ...Array(5).fill(undefined)]);
});

test('depth is judged without running out of stack', () => {
  const deep = parseJson(`${'['.repeat(10_000)}${']'.repeat(10_000)}`);
  assert.equal(isWithinDepth(deep, 64), false);
  assert.equal(isWithinDepth({ a: [{ b: 1 }] }, 3), true);
  assert.equal(isWithinDepth({ a: [{ b: 1 }] }, 2), false);
  assert.equal(isWithinDepth('text', 0), true);
});

test('objects and arrays of a text are counted without making them, and not those in its strings', () => {
  const text = JSON.stringify({ a: [{}, [], '{[{['], '{"\\': 'say "[" \\' });
  assert.deepEqual([holdsAtMost(text, 4), holdsAtMost(text, 3)], [true, false]);
  assert.equal(holdsAtMost('"{[never ended', 0), true);
  assert.equal(holdsAtMost('"{\\', 0), true);
});
