import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cpuMs } from '../../../../../../agent/test/cpu-ms.ts';
import { escapedMrkdwn, inertMarkdown, inertPlain, settledEnd } from './inert.ts';

/** What Slack would read as a call or a reference (slack.md 1.9). */
const CALLS =
  /<(?:[@#!][^<>]*|[a-z][a-z+.-]*:[^<>]*)>?|(?<![\p{L}\p{N}_])@(?:here|channel|everyone|all)(?![\p{L}\p{N}_])/iu;

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '<!channel>',
        '<!here|x>',
        '<@U0ADA>',
        '<!subteam^S1>',
        '@here',
        '@channel',
        '@everyone',
        '<#C1>',
      ),
      fc.constantFrom(
        '<',
        '!',
        '@',
        'here',
        '>',
        '|',
        '[',
        ']',
        '(',
        ')',
        '`',
        '\\',
        '\n',
        '&',
        'lt;',
        'https://evil.example',
      ),
      fc.constantFrom('[https://bank.example](https://evil.example)', '<https://evil.example|https://bank.example>'),
      fc.string({ maxLength: 8 }),
    ),
    { maxLength: 24 },
  )
  .map((pieces) => pieces.join(''));

test('C165 C166 nothing that is said calls anybody, as Markdown or as plain text', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      assert.doesNotMatch(inertMarkdown(text), CALLS);
      assert.doesNotMatch(inertPlain(text), CALLS);
    }),
    { numRuns: 1_000 },
  );
});

test('C165 nor does it when it grows piece by piece: what is shown of a growing text calls nobody either', () => {
  fc.assert(
    fc.property(hostile, fc.nat(), (text, at) => {
      const grown = text.slice(0, at % (text.length + 1));
      assert.doesNotMatch(inertMarkdown(grown.slice(0, settledEnd(grown))), CALLS);
    }),
    { numRuns: 500 },
  );
});

test('C167 comparisons and entities are escaped once and read as they were written', () => {
  const shown = (text: string): string => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  for (const text of ['if a < b && b > c', '`&lt;` literal', 'x &amp;amp; y', 'Vec<T>', '> quoted', '<br>']) {
    assert.equal(shown(inertMarkdown(text)), text);
    assert.equal(shown(escapedMrkdwn(text)), text);
  }
  assert.equal(inertMarkdown('if a < b && b > c'), 'if a &lt; b && b > c');
  assert.equal(inertMarkdown('see https://example.org/?a=1&lt=2 & more'), 'see https://example.org/?a=1&lt=2 & more');
});

test('a link says where it leads', () => {
  const cases: readonly [string, string][] = [
    ['[the runbook](https://example.org/r)', '[the runbook](https://example.org/r)'],
    ['[https://example.org/r](https://example.org/r)', '[https://example.org/r](https://example.org/r)'],
    ['[https://bank.example](https://evil.example)', 'https://bank.example (https://evil.example)'],
    ['[**bank.example**](https://evil.example "t")', '**bank.example** (https://evil.example)'],
    ['![bank.example](https://evil.example/p.png)', 'bank.example (https://evil.example/p.png)'],
    ['[click](javascript:alert(1))', 'click (javascript:alert(1))'],
    ['<https://example.org/a>', 'https://example.org/a'],
    ['<https://evil.example|https://bank.example>', '&lt;https://evil.example|https://bank.example>'],
    ['[bank.example][1]\n\n[1]: https://evil.example', '[bank.example][1]\n\n[1] https://evil.example'],
    ['[@ada](https://evil.example)', '@ada (https://evil.example)'],
  ];
  for (const [said, shown] of cases) assert.equal(inertMarkdown(said), shown);
  const codeInLabel = inertMarkdown('[https://bank.example `]`](https://evil.example)');
  assert.doesNotMatch(codeInLabel, /\]\(https:\/\/evil/);
});

test('what is settled of a growing text stays as it is', () => {
  const text = 'See [the run book](https://example.org/r), @here, a < b, &lt; and `x`. '.repeat(3);
  for (let at = 1; at <= text.length; at++) {
    const grown = text.slice(0, at);
    const settled = inertMarkdown(grown.slice(0, settledEnd(grown)));
    assert.ok(inertMarkdown(text).startsWith(settled), `${at}: ${settled.slice(-40)}`);
  }
});

test('a hostile text of a megabyte is read in a moment', () => {
  for (const piece of ['[', '](', '[a](', '<', '@h', '&', '[`', '<!', '[a]: ', '\\', '![']) {
    const text = piece.repeat(Math.ceil(200_000 / piece.length));
    assert.ok(cpuMs(() => inertMarkdown(text)) < 2_000, piece);
  }
});
