import assert from 'node:assert/strict';
import { test } from 'node:test';
import { segments, visibleLine, withoutUnseen } from './visible.ts';

const shown = (text: string): string =>
  segments(text)
    .map((part) => (part.hidden ? `[${part.text}]` : part.text))
    .join('');

test('C103 an override, a zero-width space and a variation selector are named where they stand', () => {
  assert.equal(shown('rm \u202Etxt.sh'), 'rm [‹U+202E›]txt.sh');
  assert.equal(shown('a\u200Bb'), 'a[‹U+200B›]b');
  assert.equal(shown('a\u{E0100}b'), 'a[‹U+E0100›]b');
  assert.equal(shown('a\u{E0041}b'), 'a[‹U+E0041›]b');
  assert.equal(shown('a\u0000b\u001Bc'), 'a[‹U+0000›]b[‹U+001B›]c');
});

test('C103 a run of blanks cannot push the rest out of sight', () => {
  assert.equal(shown(`ls${' '.repeat(5_000)}; rm`), 'ls[‹5000 spaces›]; rm');
  assert.equal(shown(`ls${'\n'.repeat(300)}rm`), 'ls[‹300 line breaks›]rm');
});

test('ordinary text, indented JSON and emoji stay as they are', () => {
  const family = 'ok 👩‍👩‍👧 ❤️ 👍🏽';
  for (const text of ['{\n  "a": [\t1]\n}', family, 'naïve résumé', 'سلام', '']) {
    assert.equal(shown(text), text);
  }
});

test('C023 a name is one line, bounded, with nothing hidden in it', () => {
  assert.equal(visibleLine('get\u202E_pods\n\nnow'), 'get‹U+202E›_pods now');
  assert.equal(visibleLine('x'.repeat(1_000_000)), `${'x'.repeat(300)}…`);
  assert.equal(visibleLine('short', 10), 'short');
});

test('what a reader takes a text for has nothing unseen in it', () => {
  assert.equal(withoutUnseen('goo\u200Bgle.com'), 'google.com');
  assert.equal(withoutUnseen('👍🏽 ok'), '👍🏽 ok');
});
