import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { clientOf, gate, message, serve, textOf } from '../../test/served-agent.ts';
import { AGENT_LIMITS, AgentFailure, type AnswerTurn, Client, serveAgent } from '../index.ts';

test('a turn is streamed: task, working, chunks, end, whole task', async (t) => {
  const agent = await serve(t, async function* ({ text }) {
    yield 'You said ';
    yield { call: { id: 'c1', name: 'look', args: { at: text } } };
    yield { result: { id: 'c1', name: 'look', response: { seen: true } } };
    yield { text };
    yield { text: 'aside', artifactId: 'other' };
  });
  const stream = await agent.send('m1', { parts: [{ text: 'he' }, { text: 'llo' }] });
  assert.equal(stream.response.headers['content-type'], 'text/event-stream');
  const frames = await stream.rest();
  const [first, ...others] = frames;
  assert.equal(first?.task?.status.state, 'TASK_STATE_SUBMITTED');
  assert.equal(first.task.history?.[0]?.['messageId'], 'm1');
  assert.equal(others[0]?.statusUpdate?.status.state, 'TASK_STATE_WORKING');
  const updates = others.flatMap((frame) => frame.artifactUpdate ?? []);
  assert.deepEqual(
    updates.map((update) => [update.append, update.artifact.artifactId, update.artifact.parts[0]]),
    [
      [false, 'answer', { text: 'You said ' }],
      [
        true,
        'answer',
        { data: { id: 'c1', name: 'look', args: { at: 'hello' } }, metadata: { adk_type: 'function_call' } },
      ],
      [
        true,
        'answer',
        { data: { id: 'c1', name: 'look', response: { seen: true } }, metadata: { adk_type: 'function_response' } },
      ],
      [true, 'answer', { text: 'hello' }],
      [false, 'other', { text: 'aside' }],
    ],
  );
  assert.equal(others.at(-2)?.statusUpdate?.status.state, 'TASK_STATE_COMPLETED');
  const task = others.at(-1)?.task;
  assert.equal(textOf(task), 'You said helloaside');
  const read = await agent.call('GetTask', { id: task?.id, historyLength: 0 });
  assert.deepEqual(read.result?.artifacts, task?.artifacts);
  assert.equal(read.result?.history, undefined);
});

test('A1 the card names the two endpoints and says that it streams', async (t) => {
  const agent = await serve(t, async function* () {});
  const card = JSON.parse(await (await fetch(`${agent.url}/.well-known/agent-card.json`)).text());
  assert.deepEqual(card.supportedInterfaces, [
    { url: `${agent.url}/a2a/jsonrpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url: `${agent.url}/a2a/v1`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
  ]);
  assert.deepEqual(card.capabilities, { streaming: true, pushNotifications: false });
  assert.equal(card.skills.length, 1);
  assert.equal((await fetch(`${agent.url}/.well-known/agent.json`)).status, 404);
  assert.equal((await fetch(agent.url)).status, 405);
});

test('C001 an agent without a name and a description is not served', async () => {
  const nameless = { name: '', description: ' ', async *turn() {} };
  await assert.rejects(serveAgent(nameless), /a non-empty name and a description/);
});

test('SendMessage waits for the end, or does not where it is asked not to', async (t) => {
  const open = gate();
  const agent = await serve(t, async function* () {
    await open.promise;
    yield 'done';
  });
  const early = await agent.call('SendMessage', { ...message('m1'), configuration: { returnImmediately: true } });
  assert.equal(early.result?.task?.status.state, 'TASK_STATE_WORKING');
  open.resolve();
  const late = await agent.call('SendMessage', message('m2'));
  assert.equal(textOf(late.result?.task), 'done');
});

test('a turn that throws fails its task with a constant text, and a private report', async (t) => {
  const reported: unknown[] = [];
  const secret = new Error('password is hunter2');
  const agent = await serve(
    t,
    async function* () {
      yield 'a beginning';
      throw secret;
    },
    { onError: (error) => reported.push(error) },
  );
  const frames = await (await agent.send('m1')).rest();
  const task = frames.at(-1)?.task;
  assert.equal(task?.status.state, 'TASK_STATE_FAILED');
  assert.deepEqual(task.status.message?.['parts'], [{ text: 'The agent failed.' }]);
  assert(!JSON.stringify(frames).includes('hunter2'));
  assert.deepEqual(reported, [secret]);
});

test('what cannot be printed fails its task like anything else that is thrown', async (t) => {
  const agent = await serveAgent({
    name: 'Test',
    description: 'An agent of a test.',
    turn: async () => {
      throw Object.assign(new Error('a bug'), {
        [inspect.custom]: () => {
          throw new Error('another bug');
        },
      });
    },
  });
  t.after(() => agent.close());
  const { result } = await clientOf(agent.url).call('SendMessage', message('m1'));
  assert.equal(result?.task?.status.state, 'TASK_STATE_FAILED');
});

test('an AgentFailure names its category and its code, and keeps its cause', async (t) => {
  const agent = await serve(t, async function* () {
    yield 'a';
    throw new AgentFailure({ category: 'context-limit', code: 'context_length_exceeded' }, { cause: 'private' });
  });
  const { result } = await agent.call('SendMessage', message('m1'));
  assert.deepEqual(result?.task?.status.message?.['metadata'], {
    code: 'context_length_exceeded',
    error_code: 'context-limit',
  });
  assert(!JSON.stringify(result).includes('private'));
});

test('what is no piece, and what is no JSON, fails the task', async (t) => {
  const endless: Record<string, unknown> = {};
  endless['self'] = endless;
  const part = { kind: 'text', text: 'a' };
  const wrong: unknown[] = [
    17,
    undefined,
    { text: 1 },
    { text: 'a', artifactId: 7 },
    { text: 'a', artifactId: '' },
    { part: { kind: 'text', text: 1 } },
    { part: { kind: 'file', url: 7 } },
    { part: { kind: 'file', bytes: 'AAEC' } },
    { part: { kind: 'file', url: 'https://a.example', mediaType: 7 } },
    { part: undefined },
    { artifact: { parts: [part] } },
    { artifact: { id: 7, parts: [part] } },
    { artifact: { id: 'a' } },
    { artifact: { id: 'a', name: 7, parts: [part] } },
    { artifact: { id: 'a', parts: [part], metadata: 'x' } },
    { call: { id: 'c', name: 'n', args: endless } },
  ];
  for (const piece of wrong) {
    const reported: unknown[] = [];
    const agent = await serve(
      t,
      async function* () {
        yield piece as string;
      },
      { onError: (error) => reported.push(error) },
    );
    const { result } = await agent.call('SendMessage', message('m1'));
    assert.equal(
      result?.task?.status.state,
      'TASK_STATE_FAILED',
      JSON.stringify(Object(piece), (_, value) => (value === endless ? 0 : value)),
    );
    const [error] = reported;
    assert.ok(error instanceof TypeError);
    assert.doesNotMatch(error.message, /Cannot/, 'it says what to write');
  }
});

test('an answer past the limit fails its task, and is not kept growing', async (t) => {
  const chunk = 'x'.repeat(1 << 20);
  let yielded = 0;
  const agent = await serve(t, async function* () {
    for (; ; yielded += 1) yield chunk;
  });
  const { result } = await agent.call('SendMessage', message('m1'));
  assert.equal(result?.task?.status.state, 'TASK_STATE_FAILED');
  assert.deepEqual(result.task.status.message?.['metadata'], { code: 'output-too-large' });
  assert.equal(yielded, AGENT_LIMITS.outputCharacters / chunk.length);
});

test('artifacts past the limit fail the task', async (t) => {
  const agent = await serve(t, async function* () {
    for (let n = 0; n <= AGENT_LIMITS.artifacts; n += 1) yield { text: 'a', artifactId: `a${n}` };
    yield 'never';
  });
  const { result } = await agent.call('SendMessage', message('m1'));
  assert.deepEqual(result?.task?.status.message?.['metadata'], { code: 'output-too-large' });
});

test('closing aborts what runs and drops the streams', async (t) => {
  const aborted = gate();
  const agent = await serve(t, async function* ({ signal }) {
    yield 'a';
    await once(signal, 'abort');
    aborted.resolve();
  });
  const stream = await agent.send('m1');
  await stream.next();
  await agent.close();
  await aborted.promise;
  await assert.rejects(stream.rest(), { code: 'ECONNRESET' });
});

test('a turn that is no async generator is told what to write', async (t) => {
  const errors: unknown[] = [];
  const turn = function* () {
    yield 'a';
  };
  const agent = await serve(t, turn as unknown as AnswerTurn, { onError: (error) => errors.push(error) });
  const { result } = await agent.call('SendMessage', message('m1'));
  assert.equal(result?.task?.status.state, 'TASK_STATE_FAILED');
  assert.match(String(errors[0]), /async function\*/);
});

test('an agent that is mounted below a path names it, however the path was written', async (t) => {
  for (const basePath of ['/ops', '/ops/', 'ops']) {
    const agent = await serve(t, async () => 'hi', { basePath });
    assert.equal(new URL(agent.url).pathname, '/ops');
    const client = await Client.connect(agent.url);
    assert.equal(client.endpoint.url, `${agent.url}/a2a/jsonrpc`);
    assert.equal((await client.sendMessage('go')).text, 'hi');
  }
});
