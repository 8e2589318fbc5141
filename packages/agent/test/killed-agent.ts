import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { AgentProcess } from './agent-process.ts';
import { message, textOf } from './served-agent.ts';

/** Where agents of a kind keep their tasks, one test long. */
export interface Place {
  start(): Promise<AgentProcess>;
  /** What happened, each once. */
  readonly log: string;
}

const send = async (agent: AgentProcess, messageId: string, text: string, fields: Record<string, unknown> = {}) => {
  const answer = await agent.call('SendMessage', message(messageId, { parts: [{ text }], ...fields }));
  assert.ok(answer.result?.task, JSON.stringify(answer.error));
  return answer.result.task;
};

/** What is true of every durable store when the process on it is killed. */
export function killedAgentCases(name: string, placeFor: (t: TestContext) => Promise<Place>): void {
  test(`${name}: a paused task survives its process, and is answered by the next one as if nothing had been`, async (t) => {
    const place = await placeFor(t);
    let agent = await place.start();
    const asked = await send(agent, 'm1', 'hi');
    assert.equal(asked.status.state, 'TASK_STATE_INPUT_REQUIRED');
    const restart = async () => {
      await agent.kill();
      agent = await place.start();
    };
    await restart();
    // C056 C124: whoever follows it gets it as it stands.
    const frames = await (await agent.stream('SubscribeToTask', { id: asked.id })).rest();
    assert.deepEqual(
      frames.map(({ task }) => [task?.status, textOf(task)]),
      [[asked.status, 'hi: ']],
    );
    // C131: the message that began it, once more.
    const again = await send(agent, 'm1', 'hi');
    assert.deepEqual([again.id, again.status], [asked.id, asked.status]);
    const listed = (await agent.call('ListTasks', { includeArtifacts: true })).result?.tasks;
    assert.deepEqual(listed, [again]);
    const second = await send(agent, 'm2', 'Ada', { taskId: asked.id });
    assert.deepEqual(second.status.message?.['parts'], [{ text: 'How old?' }]);
    await restart();
    const repeated = await send(agent, 'm2', 'Ada', { taskId: asked.id });
    assert.deepEqual(repeated.status, second.status);
    const done = await send(agent, 'm3', '36', { taskId: asked.id });
    assert.equal(done.status.state, 'TASK_STATE_COMPLETED');
    assert.equal(textOf(done), 'hi: Ada there 36');
    assert.deepEqual(readFileSync(place.log, 'utf8'), 'once\ntool\n');
    await restart();
    const { result } = await agent.call('GetTask', { id: asked.id });
    assert.deepEqual(result, done);
  });

  test(`${name}: a task that was worked on is failed by the next process, and stays so`, async (t) => {
    const place = await placeFor(t);
    const agent = await place.start();
    const stream = await agent.send('m1', { parts: [{ text: 'work' }], contextId: 'c' });
    const { task } = await stream.next();
    await agent.kill();
    await assert.rejects(stream.rest());
    const next = await place.start();
    const id = task?.id ?? '';
    const failed = await settled(next, id);
    assert.equal(failed.status?.state, 'TASK_STATE_FAILED');
    assert.deepEqual(failed.status?.message?.['metadata'], { code: 'agent-restarted' });
    // C131: its message tells of it, and C062: it stays so. Its context is free.
    const again = await send(next, 'm1', 'work', { contextId: 'c' });
    assert.deepEqual([again.id, again.status], [id, failed.status]);
    const { error } = await next.call('SubscribeToTask', { id });
    assert.equal(error?.code, -32004);
    const other = await send(next, 'm2', 'hi', { contextId: 'c' });
    assert.equal(other.status.state, 'TASK_STATE_INPUT_REQUIRED');
    const { result } = await next.call('ListTasks', { contextId: 'c' });
    assert.deepEqual(
      result?.tasks?.map((each) => each.id),
      [other.id, id],
    );
  });
}

/** The task, once it runs no more: another process may still be taken for alive. */
async function settled(agent: AgentProcess, id: string) {
  const { result, error } = await agent.call('GetTask', { id });
  if (result?.status?.state === 'TASK_STATE_WORKING' || result?.status?.state === 'TASK_STATE_SUBMITTED') {
    await (await agent.stream('SubscribeToTask', { id })).rest();
    return (await agent.call('GetTask', { id })).result ?? {};
  }
  assert.ok(result, JSON.stringify(error));
  return result;
}
