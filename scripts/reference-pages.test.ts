import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { apiReference, REFERENCE } from './reference-pages.ts';

test('the reference page is what the docstrings say: npm run reference writes it', () => {
  const page = apiReference();
  for (const name of ['serveAgent', 'AgentBuilder', 'Turn']) assert.match(page, new RegExp(`^### \`${name}\`$`, 'm'));
  assert.equal(readFileSync(REFERENCE, 'utf8'), page);
});
