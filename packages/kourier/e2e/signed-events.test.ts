import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { EchoAgent } from './process/echo-agent.ts';
import { folderFor, ProductProcess } from './process/product-process.ts';
import { ThreadClient } from './process/thread-client.ts';

const API = { apiVersion: 'agentkourier.dev/v1alpha1' };
const SECRET = 'end-to-end-secret-of-nobody';

const documents = (url: string): readonly object[] => [
  { ...API, kind: 'AgentBackend', metadata: { name: 'echo' }, spec: { dialect: 'a2a', url } },
  ...['ops', 'shut'].map((name) => ({ ...API, kind: 'Binding', metadata: { name }, spec: bindingSpec(name) })),
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'hook' }, stringData: { key: SECRET } },
];

function bindingSpec(name: string): object {
  const hooks = { generic: { signingSecretRef: { name: 'hook', key: 'key' } } };
  const spec = { backend: 'echo', identity: { userId: 'kourier' }, chat: { platform: 'web' } };
  return name === 'ops' ? { ...spec, hooks } : spec;
}

/** The commands of the page, as a person would copy them. */
function pageCommands(url: string): string {
  const [, section = ''] = readFileSync(new URL('../../../docs/http.md', import.meta.url), 'utf8').split(
    '\n## Signed events\n',
  );
  const [, commands = ''] = /^```sh[^\n]*\n(.*?)^```$/ms.exec(section) ?? [];
  assert.match(commands, /openssl dgst/);
  return commands.replaceAll('http://127.0.0.1:8080', url);
}

test('an event that is signed as the page says is a turn; forged, or where no secret is, it is nothing', async (t) => {
  const agent = await EchoAgent.start(t);
  const folder = folderFor(t);
  const file = join(folder, 'kourier.yaml');
  writeFileSync(
    file,
    documents(agent.url)
      .map((document) => JSON.stringify(document))
      .join('\n---\n'),
  );
  const product = await ProductProcess.start(t, '--config', file, '--data', join(folder, 'data'));
  const client = new ThreadClient(product.url);

  const run = (secret: string) =>
    spawnSync('sh', ['-c', pageCommands(product.url)], { encoding: 'utf8', env: { ...process.env, SECRET: secret } });
  const { stdout, stderr } = run(SECRET);
  assert.match(stdout, /"thread"/, stderr);
  const { thread, turnId } = JSON.parse(stdout) as { thread: string; turnId: string };
  assert.deepEqual(JSON.parse(run(SECRET).stdout), { thread, turnId }, 'the same event, signed again');
  assert.match(run('another-secret-of-nobody').stderr, /403/);

  const body = JSON.stringify({ title: 'and now', thread: 'deploy/7' });
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', SECRET).update(`v1:${timestamp}:${body}`).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'x-kourier-timestamp': timestamp,
    'x-kourier-signature': `v1=${signature}`,
  };
  const send = (binding: string) => fetch(`${product.url}/hooks/generic/${binding}`, { method: 'POST', headers, body });
  assert.equal((await send('shut')).status, 404);
  assert.equal(((await (await send('ops')).json()) as { thread: string }).thread, thread);

  const { entries } = await client.settled(thread);
  const said = entries.flatMap((entry) => (entry.kind === 'message' ? [[entry.text, entry.actor]] : []));
  assert.deepEqual(said, [
    ['Deploy 7 failed: say why', undefined],
    ['and now', undefined],
  ]);
  assert.equal(agent.runs.length, 2);
  assert.doesNotMatch([...product.out, ...product.err].join('\n'), new RegExp(SECRET));
});
