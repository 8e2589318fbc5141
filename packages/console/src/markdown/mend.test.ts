import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mend } from './mend.ts';

test('the end of a growing text is closed', () => {
  const mended = [
    ['a **bo', 'a **bo**'],
    ['a **bo ', 'a **bo**'],
    ['a **', 'a '],
    ['a **b** c', 'a **b** c'],
    ['a ~~b', 'a ~~b~~'],
    ['run `ls', 'run `ls`'],
    ['run `', 'run '],
    ['run `a ** b', 'run `a ** b`'],
    ['see [the re', 'see the re'],
    ['see [the report](https://exa', 'see the report'],
    ['see [the report](https://example.org)', 'see [the report](https://example.org)'],
    ['![alt](https://exa', 'alt'],
    ['- [ ', '- [ '],
    ['```sh\nls **', '```sh\nls **'],
    ['plain', 'plain'],
  ] as const;
  for (const [from, to] of mended) assert.equal(mend(from), to, from);
});
