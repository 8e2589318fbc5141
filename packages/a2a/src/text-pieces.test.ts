import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TextPieces } from './text-pieces.ts';

test('pieces past one block come back in order, once', () => {
  const pieces = new TextPieces();
  let expected = '';
  for (let index = 0; index < 5_000; index += 1) {
    pieces.add(`${index},`);
    expected += `${index},`;
  }
  assert.equal(pieces.length, expected.length);
  assert.equal(pieces.take(), expected);
  assert.equal(pieces.length, 0);
  assert.equal(pieces.take(), '');
});
