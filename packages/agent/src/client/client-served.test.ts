import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gate, serve } from '../../test/served-agent.ts';
import { AgentError, AgentFailure, Client } from '../index.ts';

test('an agent of this package, called by the client of this package', async (t) => {
  const agent = await serve(t, async function* ({ text }) {
    if (text === 'fail') throw new AgentFailure({ category: 'rate-limit' });
    for (const word of text.split(/(?<= )/)) yield word;
  });
  const client = await Client.connect(agent.url);
  const once = await client.sendMessage('one two  three');
  assert.ok(once.kind === 'finished' && once.from === 'task');
  assert.equal(once.text, 'one two  three');
  const told = client.sendStreamingMessage({ parts: ['four five'], contextId: once.task.contextId });
  const kinds: string[] = [];
  for await (const { kind } of told) kinds.push(kind);
  assert.deepEqual(kinds.slice(0, 3), ['task', 'status-update', 'artifact-update']);
  const result = await told.result();
  assert.ok(result.kind === 'finished' && result.from === 'task');
  assert.deepEqual([result.text, result.task.contextId], ['four five', once.task.contextId]);
  const failed = await client.sendMessage('fail');
  assert.ok(failed.kind === 'finished');
  assert.equal(failed.state, 'failed');
  const read = await client.getTask(result.task.id);
  assert.deepEqual(read.artifacts, result.task.artifacts);
  const ids: string[] = [];
  for await (const { id } of client.allTasks({ pageSize: 1 })) ids.push(id);
  assert.equal(ids.length, 3);
  await assert.rejects(client.getTask('none'), (error) => error instanceof AgentError && error.code === -32001);
});

test('a task that runs is joined, followed, and canceled', async (t) => {
  const open = gate();
  const agent = await serve(t, async function* ({ text }) {
    yield 'Held ';
    await open.promise;
    yield text;
  });
  const client = await Client.connect(agent.url);
  const running = await client.sendMessage('on', { returnImmediately: true });
  assert.ok(running.kind === 'running');
  const joined = client.subscribeToTask(running.task.id);
  const kinds: string[] = [];
  for await (const { kind } of joined) {
    kinds.push(kind);
    open.resolve();
  }
  assert.equal(kinds[0], 'task');
  assert.equal((await joined.result()).text, 'Held on');
  const known = await client.followTask(running.task.id).result();
  assert.equal(known.text, 'Held on');
  const other = await serve(t, async function* ({ signal }) {
    yield 'a';
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  });
  const second = await Client.connect(other.url);
  const told = second.sendStreamingMessage('wait');
  for await (const event of told) {
    if (event.kind === 'artifact-update') assert.equal((await second.cancelTask(event.taskId ?? '')).state, 'canceled');
  }
  const result = await told.result();
  assert.ok(result.kind === 'finished');
  assert.equal(result.state, 'canceled');
});
