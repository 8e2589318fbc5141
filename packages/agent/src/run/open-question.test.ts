import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { gate } from '../../test/served-agent.ts';
import { startOnSlowStore } from '../../test/slow-store.ts';

test('questions that nobody waits for any more end no process', async (t) => {
  const unhandled: unknown[] = [];
  const listen = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', listen);
  t.after(() => process.off('unhandledRejection', listen));
  const agent = await startOnSlowStore(t, async ({ ask, approve, askForm, once, tool, askForAuth }) => {
    const all = [
      ask('One?'),
      approve({ name: 'a', args: {} }),
      askForm([{ question: 'Two?' }]),
      askForAuth('Sign in.'),
    ];
    for (const each of all) await each;
    await Promise.all([once('a', () => 1), tool({ name: 'a', args: {} }, () => ({}))]);
  });
  const { id } = await agent.task('m1', 'go');
  await agent.rpc('CancelTask', { id });
  await setImmediate();
  await setImmediate();
  assert.deepEqual(unhandled, []);
});

test('a turn that ends takes its open question back', async (t) => {
  const agent = await startOnSlowStore(t, async ({ ask, signal }) => {
    const asked = ask('Who?').catch(() => 'nobody');
    if (signal.aborted) return asked;
    return 'done';
  });
  const { id, status } = await agent.task('m1', 'go', { contextId: 'c' });
  assert.equal(status.state, 'TASK_STATE_COMPLETED');
  assert.equal((await agent.rpc('GetTask', { id })).result?.status?.state, 'TASK_STATE_COMPLETED');
  assert.equal((await agent.send('m2', 'Ada', { taskId: id })).error?.code, -32004);
  assert.deepEqual(agent.errors, []);
});

test('what is written beside an open question is kept', async (t) => {
  const [asked, wrote] = [gate(), gate()];
  const agent = await startOnSlowStore(t, async ({ ask, write, tool }) => {
    const work = async () => {
      await asked.promise;
      write('beside ');
      await tool({ id: 't', name: 'look', args: {} }, () => ({ found: 1 }));
      wrote.resolve();
    };
    const [name] = await Promise.all([ask('Who?'), work()]);
    return name;
  });
  const { id } = await agent.task('m1', 'go');
  asked.resolve();
  await wrote.promise;
  const done = await agent.task('m2', 'Ada', { taskId: id });
  const parts = done.artifacts?.flatMap(({ parts }) => parts) ?? [];
  assert.deepEqual(
    parts.map((part) => part['text'] ?? (part['metadata'] as { adk_type: string }).adk_type),
    ['beside ', 'function_call', 'function_response', 'Ada'],
  );
});

test('a stream of pieces goes on beside an open question', async (t) => {
  const agent = await startOnSlowStore(t, async function* ({ ask }) {
    const name = ask('Who?');
    for (let n = 0; n < 3; n += 1) {
      await setImmediate();
      yield `${n} `;
    }
    yield await name;
  });
  const { id } = await agent.task('m1', 'go');
  const done = await agent.task('m2', 'Ada', { taskId: id });
  assert.deepEqual(done.artifacts?.[0]?.parts, [{ text: '0 1 2 Ada' }]);
});

test('a message for a task must not name another context than the task has', async (t) => {
  const agent = await startOnSlowStore(t, async ({ ask }) => ask('Who?'));
  const { id, contextId } = await agent.task('m1', 'go');
  const refused = await agent.send('m2', 'Ada', { taskId: id, contextId: 'other' });
  assert.equal(refused.error?.code, -32602);
  const read = await agent.rpc('GetTask', { id });
  assert.equal(read.result?.status?.state, 'TASK_STATE_INPUT_REQUIRED');
  assert.equal((await agent.task('m3', 'Ada', { taskId: id, contextId })).status.state, 'TASK_STATE_COMPLETED');
  assert.equal((await agent.send('m3', 'Ada', { taskId: id, contextId: 'other' })).error?.code, -32602);
});
