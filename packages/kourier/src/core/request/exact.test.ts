import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LIMITS } from '../limits.ts';
import { isExactName, isExactText, isExactValue, questionText } from './exact.ts';

/** By code point, so that what cannot be seen is read here. */
const HIDDEN: readonly (readonly [name: string, codePoint: number])[] = [
  ['a null', 0x00],
  ['an escape', 0x1b],
  ['a back space', 0x08],
  ['a vertical tab', 0x0b],
  ['a form feed', 0x0c],
  ['a delete', 0x7f],
  ['a next line', 0x85],
  ['a soft hyphen', 0xad],
  ['a combining grapheme joiner', 0x34f],
  ['an Arabic letter mark', 0x61c],
  ['a Hangul filler', 0x115f],
  ['a Mongolian vowel separator', 0x180e],
  ['a zero width space', 0x200b],
  ['a zero width non-joiner', 0x200c],
  ['a zero width joiner', 0x200d],
  ['a left-to-right mark', 0x200e],
  ['a line separator', 0x2028],
  ['a paragraph separator', 0x2029],
  ['a right-to-left override', 0x202e],
  ['a word joiner', 0x2060],
  ['an isolate', 0x2066],
  ['a Braille blank', 0x2800],
  ['another Hangul filler', 0x3164],
  ['a lone surrogate', 0xd800],
  ['a private character', 0xe000],
  ['a variation selector', 0xfe00],
  ['a variation selector of pictures behind a letter', 0xfe0f],
  ['a byte order mark', 0xfeff],
  ['a half-width filler', 0xffa0],
  ['a tag', 0xe0041],
  ['a variation selector of the supplement', 0xe0100],
  ['a private character of plane 15', 0xf0000],
];

describe('Q7, C103: exactly what runs', () => {
  for (const [name, codePoint] of HIDDEN) {
    it(`cannot be shown with ${name}`, () => {
      const text = `rm${String.fromCodePoint(codePoint)} -rf`;
      assert.equal(isExactText(text), false);
      assert.equal(isExactName(text), false);
      assert.equal(isExactValue({ deep: [{ text }] }), false);
      assert.equal(isExactValue({ [text]: 1 }), false);
    });
  }

  for (const text of [
    'plain',
    'tab\tand\nline\r\nends\rtoo',
    'Grüße, 東京, Привет, שלום, مرحبا, नमस्ते, ไทย',
    'e\u0301 combined',
    'thumbs 👍🏽, a family 👩‍👩‍👧, a flag 🏳️‍🌈, a heart ❤️, a key cap 1️⃣, a text heart ❤︎',
    'no\u00a0break',
    '```\nApproved\n``` <b>&amp;</b> [x](y)',
    '',
  ]) {
    it(`can be shown: ${JSON.stringify(text)}`, () => assert.equal(isExactText(text), true));
  }

  it('cannot be shown when blanks push it out of sight, or marks pile up over it', () => {
    assert.equal(isExactText(`ls${' '.repeat(5_000)}; rm`), false);
    assert.equal(isExactText(`ls${'\t\u00a0'.repeat(100)}; rm`), false);
    assert.equal(isExactText(`ls${'\n'.repeat(50)}; rm`), false);
    assert.equal(isExactText(`ls${'\r'.repeat(50)}; rm`), false);
    assert.equal(isExactText(`ls${'\r\n  '.repeat(50)}; rm`), false);
    assert.equal(isExactText(`a${'\u0301'.repeat(16)}`), false);
    assert.equal(isExactText(`${'a\n'.repeat(1_000)}${'b    '.repeat(1_000)}`), true);
    assert.equal(isExactText(`${' '.repeat(199)}x`), true);
  });

  it('fits, or cannot be shown', () => {
    assert.equal(isExactText('x'.repeat(LIMITS.promptTextCharacters)), true);
    assert.equal(isExactText('x'.repeat(LIMITS.promptTextCharacters + 1)), false);
  });

  for (const name of ['get_pods', 'Get pods', 'größe', '获取', 'a/b.c-d:e', 'x'.repeat(300)]) {
    it(`is the name ${name.slice(0, 20)}`, () => assert.equal(isExactName(name), true));
  }
  for (const name of [
    '',
    ' ',
    ' lead',
    'trail ',
    'two  blanks',
    'tab\tin',
    'line\nend',
    'no\u00a0break',
    'em\u2003space',
    'e\u0301',
    'x'.repeat(301),
    'ü'.repeat(51),
    '😀'.repeat(26),
  ]) {
    it(`is no name ${JSON.stringify(name.slice(0, 20))}`, () => assert.equal(isExactName(name), false));
  }

  it('holds numbers that are what they were on their way', () => {
    for (const number of [0, -1, 1.5, 2 ** 53 - 1, -(2 ** 53 - 1), 1e-300, 123456789.25]) {
      assert.equal(isExactValue(number), true, String(number));
    }
    for (const number of [
      2 ** 53,
      -(2 ** 53),
      JSON.parse('9007199254740993'),
      1e300,
      JSON.parse('1e999'),
      Number.NaN,
    ]) {
      assert.equal(isExactValue([{ a: number }]), false, String(number));
    }
    for (const value of [null, true, undefined, [], {}, [[['x']]]]) assert.equal(isExactValue(value), true);
  });
});

describe('a question', () => {
  it('is shown without what cannot be seen in it', () => {
    for (const [, codePoint] of HIDDEN) {
      assert.equal(questionText(` Go${String.fromCodePoint(codePoint)} on?\n`), 'Go on?');
    }
    assert.equal(questionText('A family 👩‍👩‍👧 in ❤️?'), 'A family 👩‍👩‍👧 in ❤️?');
  });
  it('that is blank or does not fit is none', () => {
    assert.equal(questionText(' \n\u200b'), undefined);
    assert.equal(questionText(''), undefined);
    assert.equal(questionText('x'.repeat(LIMITS.promptTextCharacters + 1)), undefined);
    assert.equal(questionText('\u200b'.repeat(LIMITS.promptTextCharacters * 10)), undefined);
    assert.equal(questionText(`${'x'.repeat(LIMITS.promptTextCharacters)}\u200b`)?.length, LIMITS.promptTextCharacters);
  });
});
