import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { gate, message, serve, textOf } from '../../test/served-agent.ts';
import { AGENT_LIMITS } from '../index.ts';

/** A turn that says "a", waits for the gate, and says "b". */
function halting() {
  const open = gate();
  const runs: string[] = [];
  return {
    open: open.resolve,
    runs,
    async *turn({ messageId }: { messageId: string }) {
      runs.push(messageId);
      yield 'a';
      await open.promise;
      yield 'b';
    },
  };
}

test('C059 a client that leaves does not end the task', async (t) => {
  const { open, turn } = halting();
  const agent = await serve(t, turn);
  const stream = await agent.send('m1');
  const { task } = await stream.next();
  stream.leave();
  await once(stream.response, 'close');
  const follower = await agent.stream('SubscribeToTask', { id: task?.id });
  assert.equal(textOf((await follower.next()).task), 'a');
  open();
  const frames = await follower.rest();
  assert.equal(textOf(frames.at(-1)?.task), 'ab');
  assert.equal(frames.at(-1)?.task?.status.state, 'TASK_STATE_COMPLETED');
});

test('SubscribeToTask begins with the task as it stands, and is refused once the task has ended', async (t) => {
  const { open, turn } = halting();
  const agent = await serve(t, turn);
  const sender = await agent.send('m1');
  const { task } = await sender.next();
  await sender.next();
  await sender.next();
  const follower = await agent.stream('SubscribeToTask', { id: task?.id });
  const first = await follower.next();
  assert.equal(first.task?.status.state, 'TASK_STATE_WORKING');
  assert.equal(textOf(first.task), 'a');
  open();
  const [chunk] = await follower.rest();
  assert.deepEqual(chunk?.artifactUpdate?.artifact.parts, [{ text: 'b' }]);
  assert.equal((await agent.call('SubscribeToTask', { id: task?.id })).error?.code, -32004);
  assert.equal((await agent.call('SubscribeToTask', { id: 'nothing' })).error?.code, -32001);
  assert.equal((await agent.call('GetTask', { id: 'nothing' })).error?.code, -32001);
});

test('C131 a repeated messageId is the same turn, while it runs and afterwards', async (t) => {
  const { open, runs, turn } = halting();
  const agent = await serve(t, turn);
  const original = await agent.send('m1');
  const { task } = await original.next();
  const repeated = await agent.send('m1');
  assert.equal((await repeated.next()).task?.id, task?.id);
  open();
  assert.equal(textOf((await repeated.rest()).at(-1)?.task), 'ab');
  const replayed = await (await agent.send('m1')).rest();
  assert.equal(replayed.length, 1);
  assert.equal(replayed[0]?.task?.id, task?.id);
  assert.equal(textOf(replayed[0]?.task), 'ab');
  const inItsContext = await (await agent.send('m1', { contextId: task?.contextId })).rest();
  assert.equal(inItsContext[0]?.task?.id, task?.id);
  assert.deepEqual(runs, ['m1']);
});

test('the same messageId in another context is another turn', async (t) => {
  const agent = await serve(t, async function* () {});
  const one = await (await agent.send('1', { contextId: 'c1' })).rest();
  const other = await (await agent.send('1', { contextId: 'c2' })).rest();
  assert.notEqual(one[0]?.task?.id, other[0]?.task?.id);
});

test('one turn of a context runs at a time; another is told when to come again', async (t) => {
  const { open, turn } = halting();
  const agent = await serve(t, turn);
  const first = await agent.send('m1', { contextId: 'c1' });
  await first.next();
  const refused = await agent.call('SendStreamingMessage', message('m2', { contextId: 'c1' }));
  assert.equal(refused.error?.code, -32004);
  assert.equal(refused.headers.get('retry-after'), '1');
  assert.match(JSON.stringify(refused.error?.data), /"retryAfterMs":"1000"/);
  open();
  await first.rest();
  const second = await (await agent.send('m2', { contextId: 'c1' })).rest();
  assert.equal(second.at(-1)?.task?.contextId, 'c1');
});

test('a message to a task: unknown, running and ended are told apart', async (t) => {
  const { open, turn } = halting();
  const agent = await serve(t, turn);
  const stream = await agent.send('m1');
  const { task } = await stream.next();
  const sendTo = async (messageId: string, taskId: string | undefined) =>
    (await agent.call('SendMessage', message(messageId, { taskId }))).error;
  assert.equal((await sendTo('m2', 'nothing'))?.code, -32001);
  assert.match(JSON.stringify(await sendTo('m2', task?.id)), /-32004.*retryAfterMs/);
  open();
  await stream.rest();
  const late = await sendTo('m2', task?.id);
  assert.equal(late?.code, -32004);
  assert.doesNotMatch(JSON.stringify(late), /retryAfterMs/);
});

test('C061 a second cancel is no error, and one that comes too late is', async (t) => {
  const aborted = gate();
  const agent = await serve(t, async function* ({ text, signal }) {
    if (text !== 'hello') return;
    signal.addEventListener('abort', () => aborted.resolve());
    yield 'a';
    await aborted.promise;
    yield 'too late';
  });
  const stream = await agent.send('m1');
  const { task } = await stream.next();
  await stream.next();
  await stream.next();
  const once = await agent.call('CancelTask', { id: task?.id });
  const twice = await agent.call('CancelTask', { id: task?.id });
  assert.equal(once.result?.status?.state, 'TASK_STATE_CANCELED');
  assert.deepEqual(twice.result, once.result);
  await aborted.promise;
  const end = (await stream.rest()).at(-1)?.task;
  assert.equal(end?.status.state, 'TASK_STATE_CANCELED');
  assert.equal(textOf(end), 'a');
  const quick = await agent.call('SendMessage', message('m2', { parts: [{ text: 'quick' }] }));
  assert.equal((await agent.call('CancelTask', { id: quick.result?.task?.id })).error?.code, -32002);
  assert.equal((await agent.call('CancelTask', { id: 'nothing' })).error?.code, -32001);
});

test('C062 a canceled task stays canceled when its turn goes on or throws', async (t) => {
  const turnEnded = gate();
  const agent = await serve(t, async function* ({ signal }) {
    try {
      yield 'a';
      await once(signal, 'abort');
      throw new Error('interrupted');
    } finally {
      turnEnded.resolve();
    }
  });
  const stream = await agent.send('m1');
  const { task } = await stream.next();
  await stream.next();
  await stream.next();
  await agent.call('CancelTask', { id: task?.id });
  await turnEnded.promise;
  const read = await agent.call('GetTask', { id: task?.id });
  assert.equal(read.result?.status?.state, 'TASK_STATE_CANCELED');
});

test('a turn that goes on after a cancel is ended at its next piece', async (t) => {
  const [canceled, turnEnded] = [gate(), gate()];
  const agent = await serve(t, async function* () {
    try {
      yield 'a';
      await canceled.promise;
      for (;;) yield 'more';
    } finally {
      turnEnded.resolve();
    }
  });
  const sent = await agent.call('SendMessage', { ...message('m1'), configuration: { returnImmediately: true } });
  await agent.call('CancelTask', { id: sent.result?.task?.id });
  canceled.resolve();
  await turnEnded.promise;
});

test('past the limit of running turns the agent is busy, and a repeated message still finds its task', async (t) => {
  const { open, turn } = halting();
  const agent = await serve(t, turn);
  const configuration = { returnImmediately: true };
  const sendNow = (messageId: string) => agent.call('SendMessage', { ...message(messageId), configuration });
  for (let n = 0; n < AGENT_LIMITS.runningTasks; n += 1) await sendNow(`m${n}`);
  const refused = await sendNow('one more');
  assert.equal(refused.error?.code, -32004);
  assert.match(JSON.stringify(refused.error), /retryAfterMs/);
  assert.equal((await sendNow('m0')).result?.task?.status.state, 'TASK_STATE_WORKING');
  open();
});

test('the oldest finished tasks are forgotten past the limit, and their messages with them', async (t) => {
  const agent = await serve(t, async function* () {});
  const first = await agent.call('SendMessage', message('m0'));
  for (let n = 1; n <= AGENT_LIMITS.finishedTasks; n += 1) await agent.call('SendMessage', message(`m${n}`));
  assert.equal((await agent.call('GetTask', { id: first.result?.task?.id })).error?.code, -32001);
  const { result } = await agent.call('ListTasks', { pageSize: 1 });
  assert.equal(result?.totalSize, AGENT_LIMITS.finishedTasks);
  const again = await agent.call('SendMessage', message('m0'));
  assert.notEqual(again.result?.task?.id, first.result?.task?.id);
});
