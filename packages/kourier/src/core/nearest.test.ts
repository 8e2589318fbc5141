import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest } from './nearest.ts';

const KNOWN = ['backend', 'agent', 'identity', 'chat', 'interactions'];

for (const [word, expected] of [
  ['identiy', 'identity'],
  ['Identity', 'identity'],
  ['idnetity', 'identity'],
  ['interaction', 'interactions'],
  ['backends', 'backend'],
  ['cht', 'chat'],
  ['caht', 'chat'],
  ['xy', undefined],
  ['', undefined],
  ['tokens', undefined],
  ['x'.repeat(100_000), undefined],
] as const) {
  test(`the nearest known word of ${word.slice(0, 20)} is ${expected}`, () => {
    assert.equal(nearest(word, KNOWN), expected);
  });
}
