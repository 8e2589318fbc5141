import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutEndSlashes } from './without-end-slashes.ts';

test('the slashes at the end go, all others stay', () => {
  for (const [text, rest] of [
    ['', ''],
    ['/', ''],
    ['///', ''],
    ['https://a.example//', 'https://a.example'],
    ['/a//b/', '/a//b'],
    ['a', 'a'],
  ] as const)
    assert.equal(withoutEndSlashes(text), rest);
  const many = '/'.repeat(1_000_000);
  assert.equal(withoutEndSlashes(`${many}x${many}`), `${many}x`);
});
