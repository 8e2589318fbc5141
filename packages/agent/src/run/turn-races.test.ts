import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { gate } from '../../test/served-agent.ts';
import { startOnSlowStore } from '../../test/slow-store.ts';
import type { AnswerTurn } from '../index.ts';

type Late = (turn: Parameters<AnswerTurn>[0]) => unknown;

const LATE: Readonly<Record<string, Late>> = {
  'asks a question': ({ ask }) => ask('Still there?'),
  'finishes what is done once': ({ once }) => once('late', () => 1),
  'finishes a tool': ({ tool }) => tool({ name: 'late', args: {} }, () => ({})),
  'says what it does': ({ progress }) => progress('late'),
};

for (const [what, late] of Object.entries(LATE)) {
  test(`a task that is being canceled stays canceled when its turn ${what}`, async (t) => {
    const [begun, goOn, over] = [gate(), gate(), gate()];
    const agent = await startOnSlowStore(t, async (turn) => {
      if (turn.text === 'next') return 'free';
      begun.resolve();
      await goOn.promise;
      try {
        await late(turn);
      } finally {
        over.resolve();
      }
      return 'late';
    });
    const sent = agent.send('m1', 'go', { contextId: 'c' });
    await begun.promise;
    const [task] = (await agent.rpc('ListTasks', {})).result?.tasks ?? [];
    const id = task?.id ?? '';
    const canceling = agent.store.hold('TASK_STATE_CANCELED');
    const canceled = agent.rpc('CancelTask', { id });
    const acknowledge = await canceling;
    goOn.resolve();
    for (let n = 0; n < 5; n += 1) await setImmediate();
    acknowledge();
    assert.equal((await canceled).result?.status?.state, 'TASK_STATE_CANCELED');
    await over.promise;
    assert.equal((await sent).result?.task?.status.state, 'TASK_STATE_CANCELED');
    const read = await agent.rpc('GetTask', { id });
    assert.equal(read.result?.status?.state, 'TASK_STATE_CANCELED');
    assert.equal((await agent.task('m2', 'next', { contextId: 'c' })).status.state, 'TASK_STATE_COMPLETED');
    assert.deepEqual(agent.errors, []);
  });
}

test('a task that is canceled while its answer is stored does not go on, and its turn is not repeated', async (t) => {
  const done: string[] = [];
  const agent = await startOnSlowStore(t, async ({ ask, tool }) => {
    done.push('begun');
    await ask('Sure?');
    await tool({ name: 'delete', args: {} }, () => ({ n: done.push('deleted') }));
  });
  const { id } = await agent.task('m1', 'go');
  const answering = agent.store.hold('TASK_STATE_WORKING');
  const answered = agent.send('m2', 'yes', { taskId: id });
  const acknowledge = await answering;
  const canceled = agent.rpc('CancelTask', { id });
  for (let n = 0; n < 5; n += 1) await setImmediate();
  acknowledge();
  assert.equal((await canceled).result?.status?.state, 'TASK_STATE_CANCELED');
  await answered;
  await setImmediate();
  assert.deepEqual(done, ['begun']);
  assert.equal((await agent.rpc('GetTask', { id })).result?.status?.state, 'TASK_STATE_CANCELED');
});

test('what is stored while a question or its answer is on its way does not undo it', async (t) => {
  for (const state of ['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_WORKING']) {
    const [goOn, stored] = [gate(), gate()];
    const agent = await startOnSlowStore(t, async ({ ask, once, progress }) => {
      const beside = async () => {
        await goOn.promise;
        progress('beside');
        await once('beside', () => 1);
        stored.resolve();
      };
      await Promise.all([ask('Who?'), beside()]);
      await ask('Who else?');
    });
    let acknowledging = agent.store.hold('TASK_STATE_INPUT_REQUIRED');
    const sent = agent.send('m1', 'go');
    sent.catch(() => undefined);
    let acknowledge = await acknowledging;
    const [task] = (await agent.rpc('ListTasks', {})).result?.tasks ?? [];
    const id = task?.id ?? '';
    if (state === 'TASK_STATE_WORKING') {
      acknowledge();
      await sent;
      acknowledging = agent.store.hold(state);
      agent.send('m2', 'Ada', { taskId: id }).catch(() => undefined);
      acknowledge = await acknowledging;
    }
    goOn.resolve();
    await stored.promise;
    assert.equal(agent.store.read(id)?.status.state, state);
    acknowledge();
  }
});
