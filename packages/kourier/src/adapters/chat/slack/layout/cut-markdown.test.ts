import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Carried, cutMarkdown } from './cut-markdown.ts';
import { bytesOf } from './measure.ts';

const ROOM = { bytes: 300, blocks: 10 };

function parts(text: string, room = ROOM): { raw: string; shown: string }[] {
  const cut: { raw: string; shown: string }[] = [];
  let rest = text;
  let carried: Carried = {};
  while (rest !== '') {
    const next = cutMarkdown(rest, room, carried, true);
    assert.notEqual(next.raw, '', 'something is taken each time');
    cut.push(next);
    ({ rest, carried } = next);
  }
  return cut;
}

const shownOf = (text: string, room = ROOM): string[] => parts(text, room).map(({ shown }) => shown);

/** What agents write, and what makes a cut hard. */
const piece = fc.oneof(
  fc.constantFrom(
    '\n',
    '\n\n',
    '```ts\n',
    '```\n',
    '~~~\n',
    '| a | b |\n',
    '|---|---|\n',
    '| 1 | 2 |\n',
    '# Title\n',
    '- item\n',
  ),
  fc.constantFrom(
    '[a link](https://example.org/a_(b))',
    '`code`',
    '👩‍👩‍👧‍👦',
    'é',
    '🇩🇪',
    '&lt;',
    ' ',
    'https://example.org/',
  ),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'grapheme', minLength: 300, maxLength: 700 }),
);
const markdown = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('').toWellFormed());

test('C164 any text is cut into parts within their bytes whose joined text is the whole', () => {
  fc.assert(
    fc.property(markdown, (text) => {
      const cut = parts(text);
      assert.equal(cut.map(({ raw }) => raw).join(''), text);
      for (const { shown, raw } of cut) {
        assert.ok(bytesOf(shown) <= ROOM.bytes || raw.length <= 40, `${bytesOf(shown)} bytes`);
        assert.ok(shown.isWellFormed());
      }
    }),
    { numRuns: 400 },
  );
});

test('C164 what stands in a part does not depend on what comes after the next one', () => {
  fc.assert(
    fc.property(markdown, markdown, (text, more) => {
      const before = shownOf(text);
      const after = shownOf(text + more);
      assert.deepEqual(after.slice(0, Math.max(0, before.length - 2)), before.slice(0, Math.max(0, before.length - 2)));
    }),
    { numRuns: 300 },
  );
});

test('C164 a fence of 5,000 characters is closed and opened again with its language', () => {
  const code = Array.from({ length: 200 }, (_, line) => `const line${line} = ${line};`).join('\n');
  const cut = shownOf(`Before.\n\n\`\`\`ts\n${code}\n\`\`\`\nAfter.`, { bytes: 1_000, blocks: 40 });
  assert.ok(cut.length >= 5);
  for (const shown of cut) assert.equal((shown.match(/^```/gm) ?? []).length % 2, 0, shown);
  for (const shown of cut.slice(1, -1)) assert.match(shown, /^```ts\n/);
  assert.match(cut.at(-1) ?? '', /After\.$/);
});

test('C164 a line that nearly is the rule of a table is told from one as soon as any other', () => {
  for (const nearly of [`-${'| '.repeat(200)}x`, `|${' '.repeat(200)}-${'|-'.repeat(100)}x`])
    assert.deepEqual(shownOf(`a|b\n${nearly}`, { bytes: 3_000, blocks: 10 }), [`a|b\n${nearly}`]);
});

test('C164 a table goes on below its head, and what follows a table does not', () => {
  const rows = Array.from({ length: 60 }, (_, row) => `| pod-${row} | Running |`).join('\n');
  const cut = shownOf(`| pod | state |\n|---|---|\n${rows}\n\nAll run.`, { bytes: 400, blocks: 40 });
  assert.ok(cut.length > 2);
  for (const shown of cut.filter((each) => each.includes('pod-')))
    assert.match(shown, /^\| pod \| state \|\n\|---\|---\|\n/);
  const [last] = shownOf(`| a | b |\n|---|---|\n| 1 | 2 |\n\n${'words '.repeat(60)}`, ROOM).slice(-1);
  assert.doesNotMatch(last ?? '', /\|/);
});

test('C164 one line of 9,000 characters, and a family at the cut', () => {
  const family = '👩‍👩‍👧‍👦';
  const cut = parts(`${'x'.repeat(290)}${family.repeat(400)}`);
  for (const { raw } of cut) assert.doesNotMatch(raw, /^\u200d|\u200d$/u);
  const line = 'y'.repeat(9_000);
  assert.equal(shownOf(line).join(''), line);
});

test('C164 a link, a piece of code and an entity stay whole', () => {
  for (const whole of ['[read the runbook now](https://example.org/runbook)', '`kubectl get pods -A`', 'a&lt;b']) {
    for (let before = 200; before < 300; before += 3) {
      const cut = shownOf(`${'w '.repeat(before / 2)}${whole} ${'z '.repeat(100)}`);
      assert.ok(
        cut.some((shown) => shown.includes(whole)),
        `${whole} after ${before}`,
      );
    }
  }
});

test('C163 a text of many small blocks is cut before Slack makes too many of it', () => {
  const cut = shownOf('# T\n'.repeat(60), { bytes: 9_000, blocks: 45 });
  assert.deepEqual(
    cut.map((shown) => shown.split('\n').filter((line) => line !== '').length),
    [45, 15],
  );
});
