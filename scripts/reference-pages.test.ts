import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { apiReference, REFERENCE } from './reference-pages.ts';

test('the reference page is what the docstrings say: npm run reference writes it', () => {
  const page = apiReference();
  for (const name of ['serveAgent', 'AgentBuilder', 'Turn']) assert.match(page, new RegExp(`^### \`${name}\`$`, 'm'));
  assert.equal(readFileSync(REFERENCE, 'utf8'), page);
});

test('each declaration stands there to its end', () => {
  const blocks = [...readFileSync(REFERENCE, 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) =>
    text.trimEnd(),
  );
  assert.ok(blocks.length > 50);
  assert.deepEqual(
    blocks.filter((text) => !/[;}]$/.test(text)),
    [],
  );
});
