// What docs/egress.md says of the calls of a Space is what the code has.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { UPSTREAM_LIMITS } from '../packages/kourier/src/adapters/upstream/wire/limits.ts';
import { UPSTREAM_CODES } from '../packages/kourier/src/adapters/upstream/wire/upstream-codes.ts';
import { amount } from './limit-amount.ts';

const [, inside = ''] = readFileSync('docs/egress.md', 'utf8').split('\n## Calls inside\n');
const yes = (is: boolean): string => (is ? 'yes' : 'no');

test('every code of a call inside stands in its page as it is', () => {
  const codes = Object.entries(UPSTREAM_CODES).map(
    ([code, { sent, retryable, text }]) => `| \`${code}\` | ${yes(sent)} | ${yes(retryable)} | ${text} |`,
  );
  assert.deepEqual(inside.match(/^\| `A2A_.*$/gm), codes);
});

test('every limit of a call of the Space stands in its page as it is', () => {
  const limits = Object.entries(UPSTREAM_LIMITS).map(([name, value]) => `| \`${name}\` | ${amount(name, value)} |`);
  const written = inside.match(/^\| `[a-z]\w+` \| [^|]+ \|/gm);
  assert.deepEqual(written, limits);
});
