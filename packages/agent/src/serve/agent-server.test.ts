import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { textOf } from '../../test/served-agent.ts';
import { callerOf } from '../../test/wire-client.ts';
import { AgentBuilder, AgentServer, type AgentServerOptions } from '../index.ts';

const skill = (id: string, more = {}) => ({ id, name: id, description: `Does ${id}.`, tags: [id], ...more });

async function start(agent: AgentBuilder, options: Partial<AgentServerOptions> = {}) {
  const server = new AgentServer(agent, { url: 'http://agent.example', onError: () => undefined, ...options });
  await server.open();
  return server;
}

const builder = () => new AgentBuilder({ name: 'Test', description: 'An agent of a test.' });

test('P6 the skill that a message names answers it; another one is refused with a list', async () => {
  const agent = builder()
    .skill(skill('add'), async ({ text }) => `added ${text}`)
    .skill(skill('draw', { inputModes: ['image/*'] }), async ({ parts }) => `drew ${parts.length}`);
  const caller = callerOf(await start(agent));
  assert.equal(textOf(await caller.task('m1', '1', { metadata: { skillId: 'add' } })), 'added 1');
  assert.equal(textOf(await caller.task('m2', '1')), 'added 1');
  const unknown = await caller.send('m3', '1', { metadata: { skillId: 'fly' } });
  assert.equal(unknown.error?.code, -32602);
  assert.equal(unknown.error?.message, 'The agent has no such skill; it has: add, draw.');
  assert.equal(unknown.error?.data?.[0]?.metadata['skillIds'], 'add, draw');
  const image = { parts: [{ raw: 'AAEC', mediaType: 'image/png' }, { text: 'this' }] };
  assert.equal(textOf(await caller.task('m4', '', { ...image, metadata: { skillId: 'draw' } })), 'drew 2');
  assert.equal((await caller.send('m5', '', image)).error?.code, -32005);
});

test('P6 an answer that names a skill that there is not is refused as well, and the question stays open', async () => {
  const agent = builder().skill(skill('add'), async ({ ask }) => `added ${await ask('What?')}`);
  const caller = callerOf(await start(agent));
  const { id: taskId } = await caller.task('m1', 'go');
  const unknown = await caller.send('m2', '1', { taskId, metadata: { skillId: 'fly' } });
  assert.equal(unknown.error?.message, 'The agent has no such skill; it has: add.');
  assert.equal(textOf(await caller.task('m3', '1', { taskId, metadata: { skillId: 'add' } })), 'added 1');
});

test('an answer to a question in text has nothing but text, or is refused: the turn would never see the rest', async () => {
  const agent = new AgentBuilder({ name: 'Test', description: 'A test.', inputModes: ['*/*'] });
  const caller = callerOf(await start(agent.answer(async ({ ask }) => `it is ${await ask('What?')}`)));
  const { id: taskId } = await caller.task('m1', 'go');
  const image = { raw: 'AAEC', mediaType: 'image/png' };
  for (const parts of [[image], [{ text: 'this' }, image], [{ data: { a: 1 } }], [{ url: 'https://a.example/f' }]]) {
    assert.equal((await caller.send('m2', '', { taskId, parts })).error?.code, -32602, JSON.stringify(parts));
  }
  assert.equal(textOf(await caller.task('m3', '', { taskId, parts: [{ text: 'th' }, { text: 'is' }] })), 'it is this');
});

test('P3 a later update of an artifact is a new revision in its place', async () => {
  const agent = builder().answer(async function* () {
    yield { artifact: { id: 'report', name: 'Report', parts: [{ kind: 'text', text: 'draft' }] } };
    yield { part: { kind: 'data', data: { rows: 2 } }, artifactId: 'report' };
    yield { artifact: { id: 'report', name: 'Report', parts: [{ kind: 'text', text: 'final' }] } };
    yield { part: { kind: 'file', bytes: new Uint8Array([1, 2]), mediaType: 'image/png', filename: 'a.png' } };
  });
  const { artifacts } = await callerOf(await start(agent)).task('m1', 'go');
  assert.deepEqual(artifacts, [
    { artifactId: 'report', name: 'Report', parts: [{ text: 'final' }], metadata: { 'agentkourier.dev/revision': 2 } },
    { artifactId: 'answer', parts: [{ raw: 'AQI=', mediaType: 'image/png', filename: 'a.png' }] },
  ]);
});

test('A8 what a model thought is an artifact of its own, unless it is to stay inside', async () => {
  const agent = builder().answer(async function* () {
    yield { reasoning: 'Let me ' };
    yield { reasoning: 'see.' };
    yield 'Yes.';
  });
  const [thought, answer] = (await callerOf(await start(agent)).task('m1', 'go')).artifacts ?? [];
  assert.deepEqual(thought?.parts, [{ text: 'Let me see.', metadata: { adk_thought: true } }]);
  assert.deepEqual(answer?.parts, [{ text: 'Yes.' }]);
  const silent = await callerOf(await start(agent, { includeReasoning: false })).task('m1', 'go');
  assert.deepEqual(
    silent.artifacts?.map(({ artifactId }) => artifactId),
    ['answer'],
  );
});

test('C110 each caller sees the tasks of its own, and nobody without an identity gets in', async () => {
  const server = await start(
    builder().answer(async () => 'done'),
    {
      authenticate: ({ header }) => {
        const id = header('x-user');
        return id === undefined ? undefined : { id };
      },
    },
  );
  const [ada, bob] = ['ada', 'bob'].map((id) => callerOf(server, { 'x-user': id }));
  assert(ada && bob);
  const { id, contextId } = await ada.task('m1', 'go');
  for (const method of ['GetTask', 'CancelTask', 'SubscribeToTask']) {
    assert.equal((await bob.rpc(method, { id })).error?.code, -32001, method);
  }
  assert.equal((await bob.send('m2', 'go on', { taskId: id })).error?.code, -32001);
  assert.deepEqual((await bob.rpc('ListTasks', {})).result?.tasks, []);
  assert.equal((await ada.rpc('ListTasks', {})).result?.tasks?.length, 1);
  // The same message id, and even the same context, of another caller is another task.
  assert.notEqual((await bob.task('m1', 'go')).id, id);
  assert.notEqual((await bob.task('m3', 'go', { contextId })).id, id);
  const refused = await server.fetch(new Request('http://agent.example/', { method: 'POST', body: '{}' }));
  assert.deepEqual([refused.status, await refused.text()], [401, '']);
});

test('C6 the fuller card is for callers who were authenticated', async () => {
  const options = { extendedCard: ({ id }: { id: string }) => ({ name: `for ${id}` }) };
  const open = callerOf(
    await start(
      builder().answer(async () => ''),
      options,
    ),
  );
  assert.equal((await open.rpc('GetExtendedAgentCard', {})).error?.code, -32007);
  const guarded = await start(
    builder().answer(async () => ''),
    { ...options, authenticate: () => ({ id: 'ada' }) },
  );
  assert.deepEqual((await callerOf(guarded).rpc('GetExtendedAgentCard', {})).result, { name: 'for ada' });
  const card = await guarded.fetch(new Request('http://agent.example/.well-known/agent-card.json'));
  assert.equal(
    ((await card.json()) as { capabilities: Record<string, unknown> }).capabilities['extendedAgentCard'],
    true,
  );
});

test('progress is a status of the task, and never part of its answer', async () => {
  const agent = builder().answer(async ({ progress, write }) => {
    progress('Looking it up');
    write('Found.');
    return undefined;
  });
  const server = await start(agent);
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'SendStreamingMessage',
    params: { message: { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'go' }] } },
  });
  const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
  const response = await server.fetch(new Request('http://agent.example/', { method: 'POST', headers, body }));
  const frames = (await response.text()).split('\n\n').filter((frame) => frame.startsWith('data: '));
  const results = frames.map((frame) => JSON.parse(frame.slice(6)).result);
  const said = results.map(({ statusUpdate }) => statusUpdate?.status.message?.parts[0].text).filter(Boolean);
  assert.deepEqual(said, ['Looking it up']);
  assert.equal(textOf(results.at(-1).task), 'Found.');
});

test('below a base path the agent answers there, and nowhere else', async () => {
  const server = await start(
    builder().answer(async () => 'x'),
    { basePath: '/agents/test/' },
  );
  const at = async (path: string) => (await server.fetch(new Request(`http://agent.example${path}`))).status;
  assert.equal(await at('/agents/test/.well-known/agent-card.json'), 200);
  assert.equal(await at('/.well-known/agent-card.json'), 404);
  assert.equal(await at('/agents/testing/.well-known/agent-card.json'), 404);
});

test('a builder without a turn says what it lacks', () => {
  assert.throws(() => builder().toAgentCard('http://agent.example'), /needs a turn/);
  const twice = () =>
    builder()
      .skill(skill('a'), async () => '')
      .skill(skill('a'), async () => '');
  assert.throws(twice, /two skills with the id a/);
});

test('C001 a card with faults is not made, in either version, and each fault is named', () => {
  const build = (more: object) =>
    new AgentBuilder({ name: 'Test', description: 'A test.', ...more }).answer(async () => '');
  const wrong: [object, string, RegExp][] = [
    [{}, '', /supportedInterfaces\[0\]\.url: .*absolute/],
    [{}, undefined as unknown as string, /supportedInterfaces\[0\]\.url: .*absolute/],
    [{ version: 7, inputModes: 'text/plain' }, 'http://agent.example', /\$\.version: .*; \$\.defaultInputModes: /],
  ];
  for (const [more, url, message] of wrong) {
    assert.throws(() => build(more).toAgentCard(url), { name: 'TypeError', message });
    assert.throws(() => new AgentServer(build(more), { url }), { name: 'TypeError', message });
  }
  assert.throws(() => build({}).toAgentCard('/ops', { protocol: '0.3' }), /\$\.url: .*absolute/);
  const untagged = build({}).skill(skill('a', { tags: [7] }), async () => '');
  assert.throws(() => untagged.toAgentCard('http://agent.example'), /\$\.skills\[0\]\.tags\[0\]: /);
});

test('A1 the 0.3 card has its own fields and no other', () => {
  const card = builder()
    .answer(async () => '')
    .toAgentCard('https://agent.example/', { protocol: '0.3' });
  assert.equal(card['protocolVersion'], '0.3.0');
  assert.equal(card['url'], 'https://agent.example/a2a/jsonrpc');
  assert.equal(card['preferredTransport'], 'JSONRPC');
  assert.equal(card['supportedInterfaces'], undefined);
});

test('a reader of the fetch handler that does not read costs a bounded buffer, and gets the whole in the end', async () => {
  const chunk = 'x'.repeat(64 * 1_024);
  const chunks = 40;
  let written = 0;
  const agent = builder().answer(async function* () {
    for (; written < chunks; written += 1) {
      yield chunk;
      await setImmediate();
    }
  });
  const server = await start(agent);
  const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
  const body = JSON.stringify({ message: { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'go' }] } });
  const response = await server.fetch(
    new Request('http://agent.example/a2a/v1/message:stream', { method: 'POST', headers, body }),
  );
  while (written < chunks) await setImmediate();
  const frames = (await response.text()).split('\n\n').filter((frame) => frame.startsWith('data: '));
  assert.ok(frames.length < chunks, `${frames.length} frames were kept for it`);
  assert.equal(textOf(JSON.parse(frames.at(-1)?.slice(6) ?? '').task), chunk.repeat(chunks));
});
