import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { run, testUsageErrors } from '../fixtures/run-cli.ts';

testUsageErrors({
  a2a: 'a2a needs an ACTION; write one of card, serve, discover, call, status, cancel',
  'a2a serve': 'a2a serve needs a MODULE; write the file of the agent',
  'a2a serve x.ts y': 'a2a serve takes no y; see kourier help a2a',
  'a2a crad x': 'unknown action crad; write card',
  'a2a card x.ts': 'a2a card needs --url; write --url URL, where callers reach the agent',
  'a2a card x.ts --url ftp://h':
    '--url ftp://h is no address of an agent; write http://HOST or https://HOST, with a path if need be',
  'a2a card x.ts --url http://u:p@h':
    '--url http://u:p@h is no address of an agent; write http://HOST or https://HOST, with a path if need be',
  'a2a card x.ts --inbound a': 'a2a card takes no --inbound; see kourier help a2a card',
  'a2a card x.ts --port 1': 'a2a card takes no --port; see kourier help a2a card',
  'a2a card x.ts --url http://h --protocol 0.3 --protocol 1.0': 'a card has one version; write --protocol once',
  'a2a serve x.ts --skill a': 'a2a serve takes no --skill; see kourier help a2a serve',
  'a2a serve x.ts --name=': '--name is empty; write a value after --name',
  'a2a serve x.ts --port 70000': '--port 70000 is no port; write a number from 0 to 65535',
  'a2a card x.ts --url http://h --protocol 2.0': '--protocol 2.0 is not known; write 1.0',
});

test('a2a: the module by its absolute path, with what interface.md says where nothing is said', async () => {
  const module = resolve('agent.ts');
  const card = await run('a2a', 'card', 'agent.ts', '--url', 'https://h/a/', '--skill', 'b', '--skill=c');
  const asked = { action: 'card', module, url: 'https://h/a', skills: ['b', 'c'], protocol: '1.0' };
  assert.deepEqual(JSON.parse(card.out), asked);
  const serve = await run('a2a', 'serve', 'agent.ts');
  const served = { action: 'serve', module, host: '127.0.0.1', port: 8094, protocols: ['1.0'], includeReasoning: true };
  assert.deepEqual(JSON.parse(serve.out), served);
  const other = await run('a2a', 'serve', 'agent.ts', '--host', '::', '--port=0', '--no-include-reasoning', '--name=N');
  const both = await run('a2a', 'serve', 'agent.ts', '--protocol', '0.3', '--protocol', '1.0', '--data', 'kept');
  assert.deepEqual(JSON.parse(both.out), { ...served, protocols: ['1.0', '0.3'], data: resolve('kept') });
  const guarded = await run('a2a', 'serve', 'agent.ts', '--inbound', 'gateway.json');
  const inside = { ...served, includeReasoning: false, inbound: resolve('gateway.json') };
  assert.deepEqual(JSON.parse(guarded.out), inside, 'A8 behind a gateway what it thought stays inside');
  assert.deepEqual(JSON.parse(other.out), { ...served, name: 'N', host: '::', port: 0, includeReasoning: false });
});
