import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderFor, KOURIER, ProductProcess } from './process/product-process.ts';

/** Runs to its end: what it says, and the exit code. */
function ends(...args: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [KOURIER, ...args], {
    encoding: 'utf8',
    timeout: 300_000,
  });
  return { code: status, out: stdout, err: stderr };
}

const json = async (url: string, body?: unknown): Promise<Record<string, unknown>> => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as Record<string, unknown>;
};

const config = (token: string): string => `apiVersion: agentkourier.dev/v1alpha1
kind: AgentBackend
metadata: { name: research }
spec: { dialect: a2a, url: http://127.0.0.1:9 }
---
apiVersion: agentkourier.dev/v1alpha1
kind: Binding
metadata: { name: ops }
spec: { backend: research, identity: { tokenSecretRef: { name: agent, key: token } }, chat: { platform: web } }
---
apiVersion: v1
kind: Secret
metadata: { name: agent }
stringData: { token: ${token} }
`;

test('one line when it is ready, exit code 0 when told to stop, and the thread is there at the next start', async (t) => {
  const data = folderFor(t);
  const first = await ProductProcess.start(t, '--data', data);
  assert.equal((await fetch(`${first.url}/readyz`)).status, 200);
  assert.deepEqual(first.err, [`kourier: data in ${data}`]);
  const { thread } = await json(`${first.url}/api/v1/threads`, {
    binding: 'demo',
    text: 'note to stay',
    actor: { id: 'u1' },
  });
  first.signal('SIGTERM');
  assert.equal(await first.ended(), 0);
  assert.deepEqual(first.out, [`kourier: ready on ${first.url}`]);
  const second = await ProductProcess.start(t, '--data', data);
  const { entries } = await json(`${second.url}/api/v1/threads/${String(thread)}`);
  assert.equal((entries as { text?: string }[])[0]?.text, 'note to stay');
  // As a terminal and npm do it together.
  second.signal('SIGINT');
  second.signal('SIGTERM');
  assert.equal(await second.ended(), 0);
});

test('a configuration that is wrong: a line for each reason, exit code 2', (t) => {
  const folder = folderFor(t);
  const file = join(folder, 'kourier.yaml');
  writeFileSync(file, config('dev').replace('dialect: a2a', 'dialct: a2a').replace('key: token', 'key: tokn'));
  const { code, out, err } = ends('up', '--config', file, '--data', folder);
  assert.equal(code, 2);
  assert.equal(out, '');
  assert.deepEqual(err.split('\n'), [
    `kourier: ${file}:4: AgentBackend research: dialect is missing; add dialect`,
    `kourier: ${file}:4: AgentBackend research: unknown key dialct; write dialect`,
    `kourier: ${file}:9: Binding ops: secret agent has no key tokn; write token`,
    '',
  ]);
});

test('a change is taken up while it runs; a bad one is named by /readyz and the log, and the last good one stays', async (t) => {
  const folder = folderFor(t);
  const file = join(folder, 'kourier.yaml');
  writeFileSync(file, config('hush'));
  const product = await ProductProcess.start(t, '--config', folder, '--data', join(folder, 'data'));
  const { url, err } = product;
  // Whole at once: a file that is being written may be read when it is empty, or half of what it will be.
  const write = (text: string): void => {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  };
  const bindings = async (): Promise<unknown> =>
    ((await json(`${url}/api/v1/bindings`))['bindings'] as { name: string }[]).map(({ name }) => name);
  assert.deepEqual(await bindings(), ['ops']);
  write(config('hush').replace('name: ops', 'name: sre'));
  await product.complained(/"event":"configuration-changed"/);
  assert.deepEqual(await bindings(), ['sre']);
  write(config('hush').replace('backend: research', 'backend: reserch'));
  assert.match(
    await product.complained(/"event":"configuration-refused"/),
    /"event":"configuration-refused","problems":\["[^"]+:9: Binding ops: backend reserch is not known; write research"\]/,
  );
  assert.deepEqual(await bindings(), ['sre']);
  const ready = await json(`${url}/readyz`);
  assert.deepEqual(ready['problems'], [`${file}:9: Binding ops: backend reserch is not known; write research`]);
  product.signal('SIGTERM');
  assert.equal(await product.ended(), 0);
  assert.doesNotMatch(err.join('\n'), /hush/);
});

test('a port, a store or a folder that cannot be had: one line, exit code 1', async (t) => {
  const folder = folderFor(t);
  const server = createServer().listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const taken = ends('up', '--port', String(port), '--data', join(folder, 'a'));
  assert.equal(taken.code, 1);
  assert.equal(
    taken.err,
    `kourier: data in ${join(folder, 'a')}\nkourier: port ${port} is in use; write another, or --port 0 for a free one\n`,
  );

  const first = await ProductProcess.start(t, '--data', join(folder, 'b'));
  const second = ends('up', '--port', '0', '--data', join(folder, 'b'));
  assert.equal(second.code, 1);
  assert.match(second.err, /^kourier: data in .*\nkourier: The store .* is in use by another process\. .*\n$/);
  first.signal('SIGTERM');
  assert.equal(await first.ended(), 0);

  writeFileSync(join(folder, 'file'), '');
  const third = ends('up', '--port', '0', '--data', join(folder, 'file', 'below'));
  assert.equal(third.code, 1);
  assert.match(third.err, /^kourier: data in .*\nkourier: .*\n$/);
  for (const { out } of [taken, second, third]) assert.equal(out, '');
});

test('wrong usage: one line, exit code 2; help and version on standard output', () => {
  assert.deepEqual(ends('up', '--prot', '1'), {
    code: 2,
    out: '',
    err: 'kourier: unknown option --prot; write --port\n',
  });
  assert.match(ends('--version').out, /^kourier \d+\.\d+\.\d+\n$/);
  assert.match(ends().out, /^Agent Kourier /);
});

test('decision 19: an older Node ends in one clear line', (t) => {
  const node = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => {
    const major = Number(/^v(\d+)\./.exec(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1]);
    return major > 0 && major < 22;
  });
  if (node === undefined) return t.skip('no older Node is installed: NOT TESTED');
  const { status, stderr, stdout } = spawnSync(node, [KOURIER, 'up'], { encoding: 'utf8' });
  assert.equal(status, 2);
  assert.equal(stdout, '');
  assert.match(
    stderr,
    /^kourier: Node \d+\.\d+\.\d+ is too old; use Node 22\.19 or newer \(in a checkout: npx kourier\)\n$/,
  );
});
