import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { run, testUsageErrors } from '../fixtures/run-cli.ts';
import { stateFolder } from '../state-folder.ts';

testUsageErrors({
  space: 'space needs an ACTION; write one of serve, connect, key',
  'space conect': 'unknown action conect; write connect',
  'space serve x': 'space takes no x; see kourier help space',
  'space serve --to http://h': 'space serve takes no --to; see kourier help space serve',
  'space serve --config=': '--config is empty; write --config PATH',
  'space serve --data=': '--data is empty; write --data DIR',
  'space serve --host=': '--host is empty; write --host HOST',
  'space serve --port 70000': '--port 70000 is no port; write a number from 0 to 65535',
  'space serve --set log.level=loud': '--set log.level=loud is not known; write one of debug, info, warn, error',
  'space serve --set secrets.dri=x': '--set secrets.dri: unknown key; write secrets.dir',
  'space key --port 1': 'space key takes no --port; see kourier help space key',
  'space key --name ci': 'space key needs --tenant; write --tenant TENANT',
  'space connect --data d': 'space connect takes no --data; see kourier help space connect',
});

test('space connect: is told what it is to do', async () => {
  const place = [
    '--space',
    'https://h/',
    '--space-id',
    's',
    '--agent',
    'a',
    '--key-file',
    'k',
    '--to',
    'http://127.0.0.1/',
  ];
  const { code, out } = await run('space', 'connect', ...place);
  assert.equal(code, 0);
  const asked = { spaceUrl: 'https://h/', space: 's', agent: 'a', keyFile: 'k', to: 'http://127.0.0.1/' };
  assert.deepEqual(JSON.parse(out), { ...asked, allowPlain: false });
});

test('space serve: the built-in Space, on loopback, its data under the state folder', async () => {
  const { code, out } = await run('space', 'serve');
  assert.equal(code, 0);
  const data = join(stateFolder(), 'space');
  assert.deepEqual(JSON.parse(out), { config: [], sets: [], host: '127.0.0.1', port: 8090, data, logLevel: 'info' });
});

test('space serve: with every option; what is set of the process is told from what is set of the gateway', async () => {
  const { out } = await run(
    ...['space', 'serve', '--config', 'a.yaml', '--config=b', '--data', 'd', '--host', '0.0.0.0', '--port', '0'],
    ...['--set', 'secrets.dir=s', '--set', 'log.level=debug', '--set', 'publicUrl=https://h'],
  );
  assert.deepEqual(JSON.parse(out), {
    ...{ config: ['a.yaml', 'b'], sets: ['publicUrl=https://h'], data: resolve('d'), host: '0.0.0.0', port: 0 },
    ...{ secretsDir: resolve('s'), logLevel: 'debug' },
  });
});

test('space key: the key on standard output, what to configure on standard error', async () => {
  const { code, out, complaints } = await run(
    'space',
    'key',
    '--name',
    'ci',
    '--tenant',
    't',
    '--space-id',
    's:caller',
  );
  assert.deepEqual({ code, out }, { code: 0, out: 'KEY\n' });
  const grants = [{ space: 's', role: 'caller' }];
  assert.deepEqual(
    complaints.map((line) => JSON.parse(line) as unknown),
    [{ name: 'ci', tenant: 't', kind: 'service', grants }],
  );
});
