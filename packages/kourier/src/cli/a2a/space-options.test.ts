import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run, runIn, testUsageErrors } from '../fixtures/run-cli.ts';

testUsageErrors({
  'a2a discover': 'no Space is configured; write --space-id ID, or set KOURIER_SPACE_ID',
  'a2a discover x --space-id s': 'a2a discover takes no x; see kourier help a2a',
  'a2a discover --space-id s --space http://h --limit 0': '--limit 0 is no number; write how many agents at most',
  'a2a discover --space-id s/t --space http://h':
    '--space-id s/t is no id of a Space; write letters, digits, dots, dashes and underscores',
  'a2a call --space-id s --space http://h': 'a2a call needs AGENT; write kourier a2a call AGENT MESSAGE',
  'a2a call a --space-id s --space http://h': 'a2a call needs MESSAGE; write kourier a2a call AGENT MESSAGE',
  'a2a call a m --space-id s --space ftp://h': '--space ftp://h is no address of a Space; write https://HOST',
  'a2a call a m --space-id s --space http://u:p@h': '--space http://u:p@h is no address of a Space; write https://HOST',
  'a2a status --space-id s --space http://h': 'a2a status needs TASK; write kourier a2a status TASK',
  'a2a status t --skill x': 'a2a status takes no --skill; see kourier help a2a status',
  'a2a call a m --space-id s --task t --idempotency-key k':
    '--idempotency-key is for a new task; leave it out, or --task',
  'a2a cancel t u --space-id s --space http://h': 'a2a cancel takes no u; see kourier help a2a',
});

const PLACE = ['--space', 'https://s.example/', '--space-id', 'demo'];

test('a2a: a Space by options', async () => {
  const more = ['--key-file', 'k', '--no-wait', '--task', 't', '--json'];
  const call = await run('a2a', 'call', 'echo', 'hi', ...PLACE, ...more);
  assert.deepEqual(JSON.parse(call.out), {
    ...{ action: 'call', url: 'https://s.example', spaceId: 'demo', json: true, keyFile: 'k' },
    ...{ agentId: 'echo', message: 'hi', wait: false, taskId: 't' },
  });
  const keyed = await run('a2a', 'call', 'echo', 'hi', ...PLACE, '--idempotency-key', 'i');
  assert.equal(JSON.parse(keyed.out).idempotencyKey, 'i');
  for (const action of ['status', 'cancel']) {
    const { out } = await run('a2a', action, 'task-1', ...PLACE);
    const place = { url: 'https://s.example', spaceId: 'demo', json: false };
    assert.deepEqual(JSON.parse(out), { action, ...place, taskId: 'task-1' });
  }
});

test('a2a: a key that cannot stand in a header is no key, and is not printed', async () => {
  for (const key of ['two words', 'a\nb', 'schlüssel', 'x'.repeat(8_193)]) {
    const environment = { KOURIER_SPACE_ID: 's', KOURIER_SPACE_KEY: key };
    const { code, complaints } = await runIn({ environment }, 'a2a', 'discover');
    const told = 'kourier: KOURIER_SPACE_KEY holds no key; set it to the key, and nothing else';
    assert.deepEqual([code, complaints], [2, [told]]);
    assert.equal((await runIn({ environment }, 'a2a', 'discover', '--key-file', 'k')).code, 0);
  }
});

test('a2a: a Space by the environment, and options count before it', async () => {
  const environment = { KOURIER_SPACE_URL: 'http://h', KOURIER_SPACE_ID: '["one"]', KOURIER_SPACE_KEY: 'secret\n' };
  const discover = await runIn({ environment }, 'a2a', 'discover', '--text', 'a b', '--blocked', '--limit=3');
  const asked = { action: 'discover', json: false, blocked: true, limit: 3, text: 'a b' };
  assert.deepEqual(JSON.parse(discover.out), { ...asked, url: 'http://h', spaceId: 'one', key: 'secret' });
  const { out } = await runIn({ environment }, 'a2a', 'status', 't', ...PLACE, '--key-file', 'k');
  const status = { action: 'status', json: false, taskId: 't' };
  assert.deepEqual(JSON.parse(out), { ...status, url: 'https://s.example', spaceId: 'demo', keyFile: 'k' });
});

test('a2a: of several Spaces of the environment none is chosen', async () => {
  const list = 'KOURIER_SPACE_ID is no list of ids; write one id, or a JSON array of them';
  for (const [ids, complaint] of [
    ['["a","b"]', 'KOURIER_SPACE_ID names several Spaces; choose one with --space-id ID'],
    ['[]', list],
    ['[1]', list],
    ['[', list],
  ] as const) {
    const environment = { KOURIER_SPACE_URL: 'http://h', KOURIER_SPACE_ID: ids };
    assert.deepEqual((await runIn({ environment }, 'a2a', 'status', 't')).complaints, [`kourier: ${complaint}`]);
  }
});

test('a2a: where no place of the Space is said, it is where `kourier space serve` listens by itself', async () => {
  const { url, spaceId } = JSON.parse((await run('a2a', 'discover', '--space-id', 'space-demo')).out);
  assert.deepEqual([url, spaceId], ['http://127.0.0.1:8090', 'space-demo']);
});
