import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type AnswerTurn, PostgresTaskStore } from '../src/index.ts';
import { gate, message, serve, textOf } from '../test/served-agent.ts';
import { newDatabase } from './postgres-server.ts';

/** Two served agents on one database, which look at it often. */
async function pair(t: TestContext, turn: AnswerTurn) {
  const url = await newDatabase();
  const start = () => serve(t, turn, { store: new PostgresTaskStore({ url, lookEveryMs: 10 }) });
  return { one: await start(), two: await start() };
}

const said = (messageId: string, text: string, fields: Record<string, unknown> = {}) =>
  message(messageId, { parts: [{ text }], ...fields });

test('a task that another process cancelled stops in this one, although it says nothing', async (t) => {
  const aborted = gate();
  const { one, two } = await pair(t, async ({ signal }) => {
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve());
    });
    aborted.resolve();
    return 'too late';
  });
  const stream = await one.send('m1');
  const id = (await stream.next()).task?.id ?? '';
  const canceled = await two.call('CancelTask', { id });
  assert.equal(canceled.result?.status?.state, 'TASK_STATE_CANCELED');
  await aborted.promise;
  await assert.rejects(stream.rest());
  const { result } = await one.call('GetTask', { id });
  assert.equal(result?.status?.state, 'TASK_STATE_CANCELED');
  assert.equal(result?.artifacts?.length, 0);
});

test('a task that writes as fast as it can is cancelled from another process', async (t) => {
  const { one, two } = await pair(t, async function* ({ signal }) {
    // As long as nothing stops it, up to the limit of what a turn may say.
    while (!signal.aborted) yield 'x';
  });
  const { result } = await one.call('SendMessage', { ...said('m1', 'go'), configuration: { returnImmediately: true } });
  const id = result?.task?.id ?? '';
  assert.equal((await two.call('CancelTask', { id })).result?.status?.state, 'TASK_STATE_CANCELED');
});

test('questions are answered wherever the answer comes, and the process that asked knows', async (t) => {
  let runs = 0;
  const { one, two } = await pair(t, async function* ({ ask }) {
    runs += 1;
    yield 'Asked. ';
    const answers = [await ask('One?'), await ask('Two?'), await ask('Three?')];
    yield answers.join(' ');
  });
  const id = (await one.call('SendMessage', said('m0', 'go'))).result?.task?.id ?? '';
  const answer = async (agent: typeof one, messageId: string, text: string) => {
    const { result, error } = await agent.call('SendMessage', said(messageId, text, { taskId: id }));
    return result?.task ?? assert.fail(JSON.stringify(error));
  };
  const second = await answer(two, 'm1', 'a');
  assert.deepEqual(second.status.message?.['parts'], [{ text: 'Two?' }]);
  const read = await one.call('GetTask', { id });
  assert.deepEqual(read.result?.status, second.status);
  assert.deepEqual((await answer(one, 'm1', 'a')).status, second.status);
  assert.deepEqual((await answer(one, 'm2', 'b')).status.message?.['parts'], [{ text: 'Three?' }]);
  assert.equal(textOf(await answer(two, 'm3', 'c')), 'Asked. a b c');
  // Each took the turn up from its journal: what it had of it itself was of the past.
  assert.equal(runs, 4);
});

test('two answers at once at two processes: one goes on with the task, the other is told that nothing waits', async (t) => {
  const { one, two } = await pair(t, async ({ ask }) => `${await ask('One?')} ${await ask('Two?')}`);
  const id = (await one.call('SendMessage', said('m0', 'go'))).result?.task?.id ?? '';
  const answers = await Promise.all([
    one.call('SendMessage', said('m1', 'a', { taskId: id })),
    two.call('SendMessage', said('m2', 'b', { taskId: id })),
  ]);
  const outcomes = answers.map(({ result, error }) => result?.task?.status.state ?? error?.code);
  assert.deepEqual(outcomes.toSorted(), [-32004, 'TASK_STATE_INPUT_REQUIRED']);
});

test('the same message at two processes at once is one turn, and both get its answer', async (t) => {
  const open = gate();
  let runs = 0;
  const { one, two } = await pair(t, async () => {
    runs += 1;
    await open.promise;
    return 'done';
  });
  const answers = [one, two].map((agent) => agent.call('SendMessage', said('m', 'go', { contextId: 'c' })));
  const streams = [await one.send('m', { contextId: 'c' }), await two.send('m', { contextId: 'c' })];
  for (const stream of streams) assert.equal(textOf((await stream.next()).task), '');
  open.resolve();
  const tasks = await Promise.all(answers);
  const ends = (await Promise.all(streams.map((stream) => stream.rest()))).map((frames) => frames.at(-1)?.task);
  const all = [...tasks.map(({ result }) => result?.task), ...ends];
  assert.deepEqual(new Set(all.map((task) => task?.id)).size, 1);
  assert.deepEqual(all.map(textOf), Array(4).fill('done'));
  assert.equal(runs, 1);
});

test('C110 C124 a task of another process is followed as it is written, by its owner alone', async (t) => {
  const gates = [gate(), gate()];
  const url = await newDatabase();
  const turn: AnswerTurn = async function* ({ remember }) {
    yield 'one ';
    await gates[0]?.promise;
    yield 'two';
    await gates[1]?.promise;
    remember('all');
  };
  const start = () =>
    serve(t, turn, {
      store: new PostgresTaskStore({ url, lookEveryMs: 10 }),
      authenticate: ({ header }) => ({ id: header('authorization') ?? 'ada' }),
    });
  const [one, two] = [await start(), await start()];
  const id = (await (await one.send('m1')).next()).task?.id ?? '';
  const stream = await two.stream('SubscribeToTask', { id });
  const until = async (text: string) => {
    for await (const { task } of {
      [Symbol.asyncIterator]: () => ({ next: async () => ({ done: false, value: await stream.next() }) }),
    }) {
      if (textOf(task) === text) return task;
    }
    return undefined;
  };
  await until('one ');
  gates[0]?.resolve();
  assert.equal((await until('one two'))?.status.state, 'TASK_STATE_WORKING');
  gates[1]?.resolve();
  assert.equal((await stream.rest()).at(-1)?.task?.status.state, 'TASK_STATE_COMPLETED');
  const headers = { 'content-type': 'application/json', 'a2a-version': '1.0', authorization: 'bob' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id } });
  assert.equal((await two.post(body, headers)).error?.code, -32001);
});

test('a process that closes leaves its running tasks to the others', async (t) => {
  const url = await newDatabase();
  const turn: AnswerTurn = async ({ signal }) => {
    await new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  };
  const start = () => serve(t, turn, { store: new PostgresTaskStore({ url, lookEveryMs: 10 }) });
  const [one, two] = [await start(), await start()];
  const id = (await (await one.send('m1')).next()).task?.id ?? '';
  const followed = await two.stream('SubscribeToTask', { id });
  await one.close();
  assert.equal((await followed.rest()).at(-1)?.task?.status.state, 'TASK_STATE_FAILED');
});
