import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ownPort } from '../../agent/test/own-port.ts';
import { folderFor, KOURIER } from './process/product-process.ts';
import { messageOf } from './space/space-caller.ts';
import { kourier } from './space/space-command.ts';
import { keyOf } from './space/space-process.ts';
import { dialledOut, type TwoTenants, twoTenants } from './space/two-tenants.ts';

let tenants: TwoTenants;
const ends: (() => unknown)[] = [];
const t = { after: (end: () => unknown) => void ends.push(end) };

before(async () => {
  tenants = await twoTenants(t);
});
after(async () => {
  for (const end of ends.toReversed()) await end();
});

const environment = (key = keyOf('north-caller')) => ({
  KOURIER_SPACE_URL: tenants.space.url,
  KOURIER_SPACE_ID: 'north',
  KOURIER_SPACE_KEY: key,
});

/** In a fresh process. */
const a2a = (...args: string[]) => kourier(t, ['a2a', ...args], environment());

test('discover lists what may be called, a line each, and JSON of a fixed shape; with --blocked also why not', async () => {
  const lines = await a2a('discover');
  assert.deepEqual([lines.code, lines.err], [0, '']);
  assert.match(lines.out, /^shared +callable +Shared: /m);
  assert.doesNotMatch(lines.out, /dialled|south/);
  const json = await a2a('discover', '--blocked', '--json', '--skill', 'act');
  const agents = json.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(Object.fromEntries(agents.map(({ agentId, blockedReason }) => [agentId, blockedReason])), {
    gated: null,
    old: null,
    off: 'disabled',
    'only-north': null,
    shared: null,
  });
  assert.deepEqual(Object.keys(agents[0] ?? {}).sort(), [
    ...['agentId', 'blockedReason', 'callable', 'description', 'name', 'skills', 'url', 'versionId'],
  ]);
  const none = await a2a('discover', '--text', 'nothing is called so');
  assert.deepEqual([none.code, none.out.split('\n').length], [0, 2]);
});

test('0 a call that completes: the text for people, one object for programs, over 1.0 and 0.3 alike', async () => {
  const called = async (agent: string): Promise<void> => {
    const told = await a2a('call', agent, 'weather in Oslo', '--json');
    assert.equal(told.code, 0, told.err);
    const { taskId, ...rest } = JSON.parse(told.out);
    assert.match(taskId, /^task-[0-9a-f-]{36}$/);
    assert.deepEqual(rest, { status: 'completed', agentId: agent, answer: 'You said: weather in Oslo' });
    const status = await a2a('status', taskId, '--json');
    assert.deepEqual([status.code, JSON.parse(status.out)], [0, { taskId, ...rest }]);
  };
  await Promise.all(['shared', 'old', 'gated'].map(called));
  const { out } = await a2a('call', 'gated', 'who');
  assert.match(out, /^task-\S+ {2}completed\n\nacme\/north\/service\/north-caller\n$/);
});

test('the same key and message, from two processes, are the same task; another message is refused', async () => {
  const call = (text: string) => a2a('call', 'shared', text, '--idempotency-key', 'report-7', '--json');
  const [first, second] = [await call('once'), await call('once')];
  assert.deepEqual([first.code, JSON.parse(second.out)], [0, JSON.parse(first.out)]);
  const other = await call('another');
  assert.deepEqual([other.code, JSON.parse(other.out).error], [1, 'idempotency-conflict']);
});

test('1 a task that fails, and one that was canceled: told by the call, and by status later', async () => {
  const failed = await a2a('call', 'shared', 'fail', '--json');
  const { taskId, status } = JSON.parse(failed.out);
  assert.deepEqual([failed.code, status], [1, 'failed']);
  assert.equal((await a2a('status', taskId)).code, 1);
});

test('2 no Space, several of them, a URL that is none, a key file without a key: nothing is called', async () => {
  const { KOURIER_SPACE_ID: _, ...place } = environment();
  const cases: readonly (readonly [Readonly<Record<string, string>>, RegExp, ...string[]])[] = [
    [{}, /no Space is configured/, 'discover'],
    [place, /no Space is configured/, 'call', 'shared', 'hi'],
    [{ ...environment(), KOURIER_SPACE_URL: 'ftp://x' }, /no address of a Space/, 'status', 'task-1'],
    [{ ...place, KOURIER_SPACE_ID: '["north","south"]' }, /several Spaces/, 'cancel', 'task-1'],
    [environment(), /cannot be read/, 'discover', '--key-file', '/nowhere/key'],
    [environment(), /needs MESSAGE/, 'call', 'shared'],
  ];
  const ended = await Promise.all(cases.map(([env, , ...args]) => kourier(t, ['a2a', ...args], env)));
  for (const [index, { code, out, err }] of ended.entries()) {
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, cases[index]?.[1] ?? /^$/);
  }
});

test('3 a key that nobody has, and what the Space does not let be called', async () => {
  const bad = await kourier(t, ['a2a', 'discover', '--json'], environment('nobody'));
  assert.deepEqual([bad.code, JSON.parse(bad.out).error], [3, 'unauthenticated']);
  assert.match(bad.err, /^kourier: unauthenticated: /);
  assert.doesNotMatch(bad.err + bad.out, /nobody/);
  assert.equal((await kourier(t, ['a2a', 'call', 'shared', 'hi'], environment('nobody'))).code, 3);
  const file = join(folderFor(t), 'key');
  writeFileSync(file, `${keyOf('north-caller')}\n`);
  const own = await kourier(t, ['a2a', 'discover', '--key-file', file], environment('nobody'));
  assert.equal(own.code, 0, own.err);
  const blocked = await a2a('call', 'off', 'hi', '--json');
  assert.deepEqual([blocked.code, JSON.parse(blocked.out).error], [3, 'agent-blocked']);
  assert.match(blocked.err, /^kourier: agent-blocked: .*\(disabled\)/);
});

test('4 a Space, an agent and a task that are not there, or are another tenant’s, in the same words', async () => {
  const south = tenants.caller('south');
  const task = (await south.send('shared', messageOf('ask'))).headers.get('a2a-space-task') ?? '';
  const pairs = [
    [
      ['call', 'only-south', 'hi'],
      ['call', 'none', 'hi'],
    ],
    [
      ['status', task],
      ['status', 'task-none'],
    ],
    [
      ['cancel', task],
      ['cancel', 'task-none'],
    ],
    [
      ['discover', '--space-id', 'south'],
      ['discover', '--space-id', 'none'],
    ],
  ];
  const same = async ([foreign = [], none = []]: readonly string[][]): Promise<void> => {
    const [theirs, nobodys] = await Promise.all([a2a(...foreign), a2a(...none)]);
    assert.deepEqual(theirs, nobodys);
    assert.equal(theirs.code, 4);
    assert.match(theirs.err, /^kourier: not-found: /);
  };
  await Promise.all(pairs.map(same));
});

test('5 a Space that is not there, and one that is something else', async () => {
  const away = { ...environment(), KOURIER_SPACE_URL: `http://127.0.0.1:${await ownPort()}` };
  const ended = await kourier(t, ['a2a', 'call', 'shared', 'hi', '--json'], away);
  assert.equal(ended.code, 5, ended.err);
  assert.match(JSON.parse(ended.out).error, /^A2A_/);
  const other = { ...environment(), KOURIER_SPACE_URL: tenants.shared.url };
  assert.equal((await kourier(t, ['a2a', 'discover'], other)).code, 4, 'whatever says 404');
  const tunnel = await dialledOut(t, tenants, 'north');
  await tenants.space.logged('agent-registered', '"agent":"dialled"');
  assert.equal((await a2a('call', 'dialled', 'through')).code, 0);
  tunnel.signal('SIGTERM');
  await tunnel.ended();
  assert.equal((await a2a('call', 'dialled', 'through')).code, 5);
});

test('6 a task that waits: its question, the answer from a fresh process, and cancel from another', async () => {
  const asked = await a2a('call', 'gated', 'ask', '--json');
  const { taskId, ...rest } = JSON.parse(asked.out);
  assert.deepEqual([asked.code, rest], [6, { status: 'input-required', agentId: 'gated', answer: 'Which city?' }]);
  assert.equal((await a2a('status', taskId)).code, 6);
  const answered = await a2a('call', 'gated', 'Oslo', '--task', taskId, '--json');
  const { taskId: same, ...end } = JSON.parse(answered.out);
  assert.deepEqual([answered.code, same, end.status, end.answer], [0, taskId, 'completed', 'City: Oslo']);
  const second = JSON.parse((await a2a('call', 'shared', 'ask', '--json')).out).taskId;
  const canceled = await a2a('cancel', second, '--json');
  assert.deepEqual([canceled.code, JSON.parse(canceled.out).status], [0, 'canceled']);
  assert.equal((await a2a('status', second)).code, 1);
  assert.equal((await a2a('cancel', second)).code, 0, 'what was asked for has come about');
  assert.equal((await tenants.caller('north').get(`/tasks/${second}`)).json.status, 'canceled');
});

test('a call that is not waited for runs on, and is canceled from a fresh process', async () => {
  const before = tenants.shared.canceled;
  const begun = await a2a('call', 'shared', 'hold', '--no-wait', '--json');
  const { taskId } = JSON.parse(begun.out);
  assert.equal(begun.code, 0, begun.err);
  const status = JSON.parse((await a2a('status', taskId, '--json')).out);
  assert.equal(status.status, 'working');
  assert.equal(JSON.parse((await a2a('cancel', taskId, '--json')).out).status, 'canceled');
  assert.equal(tenants.shared.canceled, before + 1);
});

test('who reads only the beginning, as head does, gets no stack trace', async () => {
  for (const args of [['help'], ['a2a', 'discover', '--json']]) {
    const env = { PATH: process.env['PATH'] ?? '', ...environment() };
    const child = spawn(process.execPath, [KOURIER, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    // Before the first word: every one of them finds nobody.
    child.stdout.destroy();
    const [told, [code]] = await Promise.all([child.stderr.setEncoding('utf8').toArray(), once(child, 'close')]);
    assert.deepEqual([told.join(''), code], ['', 0], args.join(' '));
  }
});
