import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { message, textOf } from '../../test/served-agent.ts';
import { callerOf } from '../../test/wire-client.ts';
import { AgentServer, type AnswerTurn, SqliteTaskStore } from '../index.ts';

/** A store that fails when it is told to, before or after it did its work. */
class FailingStore extends SqliteTaskStore {
  fails: 'commit' | 'begin' | undefined;
  #fail(call: string): void {
    if (this.fails === call) throw new Error('the disk is full');
  }
  override async commit(change: Parameters<SqliteTaskStore['commit']>[0]) {
    this.#fail('commit');
    return super.commit(change);
  }
  override async begin(...args: Parameters<SqliteTaskStore['begin']>) {
    const begun = await super.begin(...args);
    this.#fail('begin');
    return begun;
  }
}

async function start(t: TestContext, turn: AnswerTurn) {
  const folder = mkdtempSync(join(tmpdir(), 'tasks-'));
  const store = new FailingStore({ path: join(folder, 'tasks.db') });
  const agent = { name: 'Test', description: 'A test.', turn };
  const server = new AgentServer(agent, { url: 'http://agent', store, onError: () => undefined });
  await server.open();
  t.after(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });
  return { ...callerOf(server), server, store };
}

test('a task whose changes could not be stored is failed when they can be again, and its context is free', async (t) => {
  const agent = await start(t, async function* ({ text }) {
    if (text === 'fail') agent.store.fails = 'commit';
    yield text;
  });
  await assert.rejects(agent.send('m1', 'fail', { contextId: 'c' }));
  agent.store.fails = undefined;
  const other = await agent.task('m2', 'well', { contextId: 'c' });
  assert.equal(textOf(other), 'well');
  const failed = await agent.task('m1', 'fail', { contextId: 'c' });
  assert.equal(failed.status.state, 'TASK_STATE_FAILED');
  assert.deepEqual(failed.status.message?.['metadata'], { code: 'not-stored' });
});

test('as long as nothing can be stored every call says so, and nothing is forgotten', async (t) => {
  const agent = await start(t, async function* ({ text }) {
    if (text === 'fail') agent.store.fails = 'commit';
    yield text;
  });
  await assert.rejects(agent.send('m1', 'fail', { contextId: 'c' }));
  for (let tries = 0; tries < 2; tries += 1) {
    assert.equal((await agent.rpc('SendMessage', message('m2', { contextId: 'c' }))).error?.code, -32603);
  }
  agent.store.fails = undefined;
  assert.equal((await agent.task('m1', 'fail', { contextId: 'c' })).status.state, 'TASK_STATE_FAILED');
});

test('a task that was begun although the store said that it failed is failed, too', async (t) => {
  const agent = await start(t, async ({ text }) => text);
  agent.store.fails = 'begin';
  assert.equal((await agent.send('m1', 'go', { contextId: 'c' })).error?.code, -32603);
  agent.store.fails = undefined;
  assert.equal((await agent.task('m1', 'go', { contextId: 'c' })).status.state, 'TASK_STATE_FAILED');
  assert.equal(textOf(await agent.task('m2', 'go', { contextId: 'c' })), 'go');
});

test('an answer that could not be stored is none: the question is open, and takes the same answer', async (t) => {
  const agent = await start(t, async ({ ask }) => ask('Who?'));
  const { id } = await agent.task('m1', 'go');
  agent.store.fails = 'commit';
  assert.equal((await agent.send('m2', 'Ada', { taskId: id })).error?.code, -32603);
  agent.store.fails = undefined;
  assert.equal((await agent.rpc('GetTask', { id })).result?.status?.state, 'TASK_STATE_INPUT_REQUIRED');
  assert.equal(textOf(await agent.task('m2', 'Ada', { taskId: id })), 'Ada');
});
