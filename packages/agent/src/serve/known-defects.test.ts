// Defects that were measured at other servers, one test each, beside those that the other files hold.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gate, message, serve } from '../../test/served-agent.ts';
import { callerOf } from '../../test/wire-client.ts';
import { AgentServer, MemoryTaskStore } from '../index.ts';

test('a turn that never stops yielding leaves other requests their time', async (t) => {
  let over = false;
  const agent = await serve(t, async function* ({ text }) {
    while (text === 'hello' && !over) yield 'x';
    yield 'done';
  });
  const busy = agent.call('SendMessage', message('m1'));
  const quick = await agent.call('SendMessage', message('m2', { parts: [{ text: 'quick' }] }));
  assert.equal(quick.result?.task?.status.state, 'TASK_STATE_COMPLETED');
  over = true;
  assert.equal((await busy).result?.task?.status.state, 'TASK_STATE_COMPLETED');
});

test('an error of a streaming method echoes the id 0, too', async (t) => {
  const agent = await serve(t, async function* () {});
  for (const method of ['SendStreamingMessage', 'SubscribeToTask']) {
    const { id, error } = await agent.call(method, {}, 0);
    assert.deepEqual([id, error?.code], [0, -32602], method);
  }
});

test('a turn that yields nothing still streams its task to the end', async (t) => {
  const agent = await serve(t, async function* () {});
  const states = (await (await agent.send('m1')).rest()).map(
    ({ task, statusUpdate }) => (task ?? statusUpdate)?.status.state,
  );
  assert.deepEqual(states, [
    'TASK_STATE_SUBMITTED',
    'TASK_STATE_WORKING',
    'TASK_STATE_COMPLETED',
    'TASK_STATE_COMPLETED',
  ]);
});

test('a stream ends when its task waits for its caller, whatever it waits for', async (t) => {
  const agent = await serve(t, async ({ text, ask, askForAuth }) =>
    text === 'hello' ? ask('Where?') : askForAuth('Sign in.'),
  );
  for (const [text, state] of [
    ['hello', 'TASK_STATE_INPUT_REQUIRED'],
    ['sign in', 'TASK_STATE_AUTH_REQUIRED'],
  ]) {
    const stream = await agent.send(`m-${text}`, { parts: [{ text }] });
    const last = (await stream.rest()).at(-1)?.task;
    assert.equal(last?.status.state, state);
    const again = await (await agent.stream('SubscribeToTask', { id: last?.id })).rest();
    assert.deepEqual(
      again.map(({ task }) => task?.status.state),
      [state],
    );
  }
});

test('what asks who calls and fails is not the fault of the caller', async () => {
  const reported: unknown[] = [];
  const cause = new Error('the directory is away: secret');
  const server = new AgentServer(
    { name: 'Test', description: 'An agent of a test.', turn: async () => 'done' },
    {
      url: 'http://agent.example',
      authenticate: () => Promise.reject(cause),
      onError: (error) => reported.push(error),
    },
  );
  await server.open();
  const response = await server.fetch(new Request('http://agent.example/', { method: 'POST', body: '{}' }));
  assert.deepEqual([response.status, await response.text()], [500, '']);
  assert.deepEqual(reported, [cause]);
  await server.close();
});

/** A store that outlives the process, as far as this test goes. */
class KeptTasks extends MemoryTaskStore {
  override orphans() {
    const all = { owner: '', contextId: undefined, changedSince: undefined, pageSize: 10, pageToken: undefined };
    return this.list({ ...all, state: 'TASK_STATE_WORKING' }).tasks;
  }
}

test('a task that a crash left in the middle of its work is failed by the next start', async () => {
  const store = new KeptTasks();
  const options = { url: 'http://agent.example', store, onError: () => undefined };
  const definition = { name: 'Test', description: 'An agent of a test.' };
  const stopped = gate();
  const first = new AgentServer({ ...definition, turn: async () => stopped.promise.then(() => '') }, options);
  await first.open();
  const sent = await callerOf(first).rpc('SendMessage', {
    ...message('m1'),
    configuration: { returnImmediately: true },
  });
  const id = sent.result?.task?.id;
  const second = new AgentServer({ ...definition, turn: async () => '' }, options);
  await second.open();
  const { result } = await callerOf(second).rpc('GetTask', { id });
  assert.equal(result?.status?.state, 'TASK_STATE_FAILED');
  assert.deepEqual(result?.status?.message?.['metadata'], { code: 'agent-restarted' });
  assert.equal((await callerOf(second).rpc('SubscribeToTask', { id })).error?.code, -32004);
  stopped.resolve();
  await second.close();
});

test('the envelope of a message keeps what the protocol knows, and the task repeats nothing else', async (t) => {
  const agent = await serve(t, async function* () {});
  const known = {
    role: 'ROLE_USER',
    parts: [{ text: 'hello', metadata: { own: 1 } }],
    metadata: { own: { deep: [1] } },
    extensions: ['https://extension.example'],
    referenceTaskIds: ['t0'],
  };
  const { result } = await agent.call('SendMessage', {
    message: { ...known, messageId: 'm1', taskId: null, kind: 'message', parts: [{ ...known.parts[0], kind: 'text' }] },
  });
  const { id: taskId, contextId, history } = result?.task ?? {};
  assert.deepEqual(history, [{ ...known, messageId: 'm1', taskId, contextId }]);
});

test('members may be spelt as in protocol buffers', async (t) => {
  const agent = await serve(t, async function* () {});
  const { result } = await agent.call('SendMessage', {
    message: {
      message_id: 'm1',
      context_id: 'c1',
      role: 'ROLE_USER',
      parts: [{ text: 'hello', media_type: 'text/plain' }],
      metadata: { skill_id: 'kept' },
    },
    configuration: { history_length: 1 },
  });
  const [kept] = result?.task?.history ?? [];
  assert.deepEqual([kept?.['messageId'], kept?.['contextId'], kept?.['metadata']], ['m1', 'c1', { skill_id: 'kept' }]);
  const read = await agent.call('GetTask', { id: result?.task?.id, history_length: 0 });
  assert.equal(read.result?.history, undefined);
  const http = await fetch(`${agent.url}/a2a/v1/tasks/${result?.task?.id}?history_length=0`, {
    headers: { 'a2a-version': '1.0' },
  });
  assert.equal(((await http.json()) as { history?: unknown }).history, undefined);
});
