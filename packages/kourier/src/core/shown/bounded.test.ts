import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LIMITS } from '../limits.ts';
import { bounded } from './bounded.ts';

const within = (value: unknown, characters: number) => bounded(value, { characters });

describe('what is shown', () => {
  it('is as it was while there is room', () => {
    const value = { a: ['x', 1, null, true, { b: 'yz' }], '': {} };
    assert.deepEqual(bounded(value), value);
    assert.equal(within('abc', 3), 'abc');
    assert.equal(within('', 0), '');
    assert.equal(within(7, 0), 7);
  });

  it('is cut where the room ends, and says how much is missing', () => {
    assert.equal(within('abcdef', 4), 'abcd… (2 more characters)');
    assert.deepEqual(within(['ab', 'cd', 'ef', 'gh'], 6), ['ab', 'cd', '… (2 more)']);
    assert.deepEqual(within({ ab: 'c', de: 'f', gh: 'i' }, 8), { ab: 'c', de: 'f', '…': '1 more keys' });
    assert.deepEqual(within({ abcdef: 1 }, 4), { 'abc… (3 more characters)': 1 });
  });

  it('has one room for all that it holds', () => {
    assert.deepEqual(within([['abc'], ['def'], 'x'], 6), [['abc'], ['… (1 more)'], '… (1 more)']);
  });

  it('leaves no half of a pair', () => {
    assert.equal(within('ab😀cd', 3), 'ab… (4 more characters)');
    assert.equal(within('ab😀cd', 4), 'ab😀… (2 more characters)');
  });

  for (const [what, value] of [
    ['a text', 'x'.repeat(4_000_000)],
    ['a key', { ['x'.repeat(4_000_000)]: 1 }],
    ['texts', Array.from({ length: 100_000 }, () => 'x'.repeat(10))],
    ['numbers', Array.from({ length: 1_000_000 }, () => 1)],
    ['empty lists', Array.from({ length: 1_000_000 }, () => [])],
    ['keys', Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`k${index}`, null]))],
  ] as const) {
    it(`is bounded whatever it is: ${what}`, () => {
      const json = JSON.stringify(bounded(value));
      assert.ok(json.length < 5 * LIMITS.shownCharacters, String(json.length));
      assert.match(json, /more/);
    });
  }
});
