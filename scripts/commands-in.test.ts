import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandsIn } from './commands-in.ts';

const PAGE = `
\`\`\`sh
# what it does
npm ci && npm start   # then look
curl -s \\
  http://127.0.0.1:8080/readyz
\`\`\`
\`\`\`json
{"not": "a command"}
\`\`\`
\`\`\`sh skip: needs a cluster
helm install kourier
\`\`\`
`;

test('commands are the lines of sh blocks, one by one, with their place', () => {
  assert.deepEqual(commandsIn('README.md', PAGE), [
    { text: 'npm ci', at: 'README.md:4' },
    { text: 'npm start', at: 'README.md:4' },
    { text: 'curl -s http://127.0.0.1:8080/readyz', at: 'README.md:6' },
    { text: 'helm install kourier', at: 'README.md:12', skip: 'needs a cluster' },
  ]);
});
