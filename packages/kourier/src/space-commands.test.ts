import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { AGENT, type Answers, API, agent, answering, spaceOf, streaming, task } from '../test/scripted-space.ts';
import { UsageError } from './cli/usage-error.ts';

const ESCAPE = '\u001b';

const CALL = { action: 'call', agentId: 'echo', message: 'hi', wait: true };

test('discover prints a line an agent, or JSON of a fixed shape, and says when there is none', async (t) => {
  const { run } = await spaceOf(t, {
    [`GET ${API}/agents`]: [200, { agents: [agent('a'), agent('b')], nextCursor: null }],
  });
  const lines = await run({ action: 'discover', blocked: false });
  assert.equal(lines.code, 0);
  assert.match(lines.out, /^a +callable +Echo: Says/m);
  assert.ok(!lines.out.includes(ESCAPE));
  const json = await run({ action: 'discover', blocked: false, json: true, limit: 1 });
  const [first, ...rest] = json.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { agentId: string; blockedReason: null });
  assert.deepEqual([first?.agentId, first?.blockedReason, rest], ['a', null, []]);
  const blocked = agent('long-id', { name: '', description: '', callable: false, blockedReason: 'card-invalid' });
  const mixed = await spaceOf(t, { [`GET ${API}/agents`]: [200, { agents: [agent('a'), blocked], nextCursor: null }] });
  const { out } = await mixed.run({ action: 'discover', blocked: true });
  assert.deepEqual(out.split('\n'), [
    'a         callable               Echo: Says?[31m it.',
    'long-id   blocked: card-invalid',
    '',
  ]);
  const empty = await spaceOf(t, { [`GET ${API}/agents`]: [200, { agents: [], nextCursor: null }] });
  assert.match((await empty.run({ action: 'discover', blocked: false })).out, /No agent fits/);
});

test('a call prints what came of it, and its exit code says the same', async (t) => {
  for (const [state, status, code] of [
    ['COMPLETED', 'completed', 0],
    ['FAILED', 'failed', 1],
    ['REJECTED', 'rejected', 1],
    ['CANCELED', 'canceled', 1],
    ['INPUT_REQUIRED', 'input-required', 6],
    ['AUTH_REQUIRED', 'auth-required', 6],
  ] as const) {
    const { run } = await spaceOf(t, answering(state));
    const plain = await run(CALL);
    assert.deepEqual([plain.code, plain.out.split('\n')[0]], [code, `task-1  ${status}`]);
    assert.ok(!plain.out.includes(ESCAPE));
    const { answer, ...rest } = JSON.parse((await run({ ...CALL, json: true })).out);
    assert.deepEqual(rest, { taskId: 'task-1', status, agentId: 'echo' });
    assert.match(answer, /^sunny/);
  }
});

test('of a task that waits what it asks is printed', async (t) => {
  const message = { messageId: 'q', role: 'ROLE_AGENT', parts: [{ text: 'Which city?' }] };
  const { run } = await spaceOf(
    t,
    answering('INPUT_REQUIRED', { artifacts: [], status: { state: 'TASK_STATE_INPUT_REQUIRED', message } }),
  );
  assert.match((await run(CALL)).out, /Which city\?/);
  // A fresh process that is to answer it sees it, too.
  assert.match((await run({ action: 'status', taskId: 'task-1' })).out, /Which city\?/);
});

test('the answer is the same whoever asks: artifacts a blank line apart, and no thoughts', async (t) => {
  const artifacts = [
    { artifactId: 'a', parts: [{ text: 'Hm.', metadata: { adk_thought: true } }] },
    { artifactId: 'b', parts: [{ text: 'One.' }] },
    { artifactId: 'c', parts: [{ text: 'Two.' }] },
  ];
  const { run } = await spaceOf(t, answering('COMPLETED', { artifacts }));
  for (const asked of [CALL, { action: 'status', taskId: 'task-1' }])
    assert.equal(JSON.parse((await run({ ...asked, json: true })).out).answer, 'One.\n\nTwo.');
});

test('who does not wait is told the state that the agent has said', async (t) => {
  const { run } = await spaceOf(t, answering('INPUT_REQUIRED'));
  const early = await run({ ...CALL, wait: false, json: true });
  assert.deepEqual([early.code, JSON.parse(early.out).status], [6, 'input-required']);
});

test('progress is each state once, the first one too', async (t) => {
  const status = (state: string) => ({ statusUpdate: { taskId: 'r1', contextId: 'c1', status: { state } } });
  const events = [
    { task: task('SUBMITTED', { artifacts: [] }) },
    status('TASK_STATE_WORKING'),
    status('TASK_STATE_WORKING'),
    status('TASK_STATE_COMPLETED'),
  ];
  const { run } = await spaceOf(t, streaming(events));
  const shown: string[] = [];
  const { code } = await run(CALL, { progress: (line) => void shown.push(line) });
  assert.deepEqual([code, shown], [0, ['task-1: submitted', 'task-1: working', 'task-1: completed']]);
});

test('a message goes to the agent that is named, or nowhere', async (t) => {
  const { run } = await spaceOf(t, answering('INPUT_REQUIRED'));
  const wrong = await run({ ...CALL, agentId: 'other', taskId: 'task-1' });
  assert.deepEqual([wrong.code, wrong.out], [1, '']);
  assert.deepEqual(wrong.lines, [
    'kourier: A2A_TASK_OF_ANOTHER_AGENT: The task is one of echo: write kourier a2a call echo MESSAGE --task task-1.',
  ]);
});

test('told to stop, it says where the task goes on, in one line', async (t) => {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    const stopping = new AbortController();
    const { run } = await spaceOf(t, streaming([{ task: task('WORKING') }], 'open'));
    const { signal: stopped } = stopping;
    const ended = run(CALL, { signal: stopped, progress: () => stopping.abort(new Error(signal)) });
    const { lines, ...rest } = await ended;
    assert.deepEqual(rest, { code, out: '' });
    assert.deepEqual(lines, [
      'kourier: interrupted: The task goes on: kourier a2a status task-1, or kourier a2a cancel task-1.',
    ]);
  }
  const { run } = await spaceOf(t, {});
  const early = await run(
    { action: 'discover', blocked: false, json: true },
    { signal: AbortSignal.abort(new Error('SIGINT')) },
  );
  assert.deepEqual([early.code, JSON.parse(early.out).error, early.lines.length], [130, 'interrupted', 1]);
});

test('status and cancel go by the id of the Space; a cancel that came is no failure', async (t) => {
  const { run } = await spaceOf(t, answering('CANCELED'));
  assert.equal((await run({ action: 'status', taskId: 'task-1' })).code, 1);
  assert.equal((await run({ action: 'cancel', taskId: 'task-1' })).code, 0);
  const late = await spaceOf(t, answering('COMPLETED'));
  assert.equal((await late.run({ action: 'cancel', taskId: 'task-1' })).code, 1, 'it came too late');
  const unbound = { taskId: 'task-1', agentId: 'echo', status: 'submitted', remoteTaskId: null };
  const early = await spaceOf(t, { [`GET ${API}/tasks/task-1`]: [200, unbound] });
  assert.deepEqual(await early.run({ action: 'status', taskId: 'task-1' }), {
    code: 0,
    out: 'task-1  submitted\n',
    lines: [],
  });
  const cancel = await early.run({ action: 'cancel', taskId: 'task-1' });
  assert.equal(cancel.code, 1);
  assert.match(cancel.lines[0] ?? '', /^kourier: A2A_REMOTE_TASK_NOT_BOUND: /);
});

test('a refusal is one line with its code, and an exit code of its class', async (t) => {
  const path = `GET ${API}/tasks/task-1`;
  for (const [status, problem, code] of [
    [401, 'unauthenticated', 3],
    [403, 'forbidden', 3],
    [404, 'not-found', 4],
    [409, 'agent-blocked', 3],
    [422, 'invalid-request', 1],
    [503, 'authentication-unavailable', 5],
  ] as const) {
    const { run } = await spaceOf(t, { [path]: [status, { code: problem, detail: 'Do\u001b[2J this.' }] });
    const plain = await run({ action: 'status', taskId: 'task-1' });
    assert.deepEqual([plain.code, plain.out, plain.lines.length], [code, '', 1]);
    assert.match(plain.lines[0] ?? '', new RegExp(`^kourier: ${problem}: Do`));
    assert.ok(!(plain.lines[0] ?? '').includes(ESCAPE));
    const json = await run({ action: 'status', taskId: 'task-1', json: true });
    assert.equal(JSON.parse(json.out).error, problem);
  }
});

test("what the gateway says of a call is told by the gateway's reason", async (t) => {
  const refusing = (status: number, code: number, reason: string): Answers => ({
    ...answering('COMPLETED'),
    [`POST ${AGENT}`]: ({ id }) => [
      status,
      { jsonrpc: '2.0', id, error: { code, message: 'No.', data: [{ reason: 'X', metadata: { reason } }] } },
    ],
  });
  for (const [status, rpc, reason, code] of [
    [403, -32_090, 'permit-used', 3],
    [409, -32_090, 'disabled', 3],
    [200, -32_001, 'TASK_NOT_FOUND', 4],
    [502, -32_090, 'A2A_UPSTREAM_CONNECTION_LOST', 5],
    [200, -32_602, 'INVALID_PARAMS', 1],
  ] as const) {
    const { run } = await spaceOf(t, refusing(status, rpc, reason));
    const { code: exit, lines } = await run({ action: 'status', taskId: 'task-1' });
    assert.deepEqual([exit, lines.length], [code, 1]);
    assert.match(lines[0] ?? '', new RegExp(`^kourier: ${reason}: .*No\\.$`));
  }
});

test('a key comes from a file, and a file without one is a mistake of usage', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'kourier-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const { run, headers } = await spaceOf(t, { [`GET ${API}/agents`]: [200, { agents: [] }] });
  const keyFile = join(folder, 'key');
  writeFileSync(keyFile, 'the-key\n');
  await run({ action: 'discover', blocked: false, keyFile, key: 'other' });
  assert.equal(headers[0]?.authorization, 'Bearer the-key');
  for (const text of ['', 'two words', 'x'.repeat(9_000)]) {
    writeFileSync(keyFile, text);
    await assert.rejects(run({ action: 'discover', blocked: false, keyFile }), UsageError);
  }
  await assert.rejects(run({ action: 'discover', blocked: false, keyFile: folder }), UsageError);
});
