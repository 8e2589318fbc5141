import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMs } from '../../../agent/test/cpu-ms.ts';
import { type Blocks, splitBlocks } from './blocks.ts';
import { blockHtml } from './html.ts';

const SAMPLE = [
  '# Title\n\nA paragraph with **bold**\nover two lines.\n\n',
  '1. one\n\n2. two\n\n   inside\n\n3. three\n\n- a\n- b\n\n',
  '```sh\nls\n\nls -l\n```\n\n',
  '| a | b |\n|---|--:|\n| 1 | 2 |\n\n',
  '> quote\n\nSetext\n======\n\n    indented\n\n[x]: https://example.org/x\n\nsee [x]\n',
].join('');

const raws = ({ blocks }: Blocks): readonly string[] => blocks.map(({ kind, raw }) => `${kind}: ${raw}`);

test('an answer that grew in any pieces is cut like the whole one', () => {
  const long = SAMPLE.repeat(40);
  const whole = splitBlocks(long);
  for (const size of [1, 7, 100, 5_000]) {
    let grown: Blocks | undefined;
    for (let end = size; end < long.length + size; end += size) grown = splitBlocks(long.slice(0, end), grown);
    assert.deepEqual(grown && raws(grown), raws(whole), `in pieces of ${size}`);
  }
});

test('no word is lost, whatever the answer is', () => {
  const squeezed = (text: string): string => text.replace(/\s+/g, '');
  const odd = [
    `\`\`\`\n${'x'.repeat(50_000)}`,
    'y'.repeat(70_000),
    `${'- a\n'.repeat(9_000)}end`,
    '>'.repeat(30_000),
    `a\r\nb\rc${SAMPLE}`,
  ];
  for (const text of odd) {
    const joined = splitBlocks(text)
      .blocks.map(({ raw }) => raw)
      .join('');
    assert.equal(squeezed(joined), squeezed(text));
  }
});

test('what is settled is the same object after more text came', () => {
  const before = splitBlocks(SAMPLE);
  const after = splitBlocks(`${SAMPLE}\n\nmore`, before);
  assert.ok(before.settledBlocks > 5);
  for (let at = 0; at < before.settledBlocks; at++) assert.equal(after.blocks[at], before.blocks[at]);
});

test('a text that was taken back is read anew', () => {
  const before = splitBlocks(SAMPLE);
  assert.deepEqual(raws(splitBlocks('other', before)), ['markdown: other']);
});

test('a megabyte that grows is read once, not once a piece', () => {
  const long = SAMPLE.repeat(Math.ceil(1_000_000 / SAMPLE.length));
  let grown: Blocks | undefined;
  const grow = () => {
    for (let end = 0; end <= long.length; end += 2_000) grown = splitBlocks(long.slice(0, end), grown);
  };
  assert.ok(cpuMs(grow) < 5_000);
  assert.equal(grown?.blocks.at(-1)?.kind, 'plain');
});

test('HTML, scripts and images of an agent are words', () => {
  const html =
    blockHtml('a <b onclick=x>b</b> <script>alert(1)</script> ![pixel](https://evil.example/p.png)', {}) ?? '';
  assert.doesNotMatch(html, /<(?!\/?(?:p|a)\b)/);
  assert.match(html, /<a href="https:\/\/evil\.example\/p\.png">Image: pixel<\/a>/);
});

test('what takes a reader of markdown minutes is plain text, or read in a moment', () => {
  const costly = [
    '>',
    '> ',
    '- ',
    '1. ',
    '[',
    '![',
    '*',
    '_',
    '`',
    '**a',
    '*a_',
    '[a](',
    '~',
    '# ',
    '<!--',
    '|\n',
    'https://a.(',
  ];
  for (const text of costly.flatMap((piece) => [piece.repeat(5_000), `${piece}\n`.repeat(3_000)])) {
    const show = () => {
      for (const { kind, raw } of splitBlocks(text).blocks) if (kind === 'markdown') blockHtml(raw, {});
    };
    assert.ok(cpuMs(show) < 2_000, text.slice(0, 12));
  }
});
