import assert from 'node:assert/strict';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { gate, message, serve, textOf } from '../../test/served-agent.ts';
import { AgentFailure } from '../index.ts';

test('C020 the card names the address that was configured, whatever Host a caller sends', async (t) => {
  const agent = await serve(t, async () => '', { publicUrl: 'https://agents.example/ops' });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const asked = request(`${agent.url}/.well-known/agent-card.json`, { headers: { host: 'evil.example' } });
  asked.once('response', (response) => resolve(text(response))).once('error', reject);
  asked.end();
  const card = JSON.parse(await promise);
  assert.deepEqual(
    card.supportedInterfaces.map(({ url }: { url: string }) => url),
    ['https://agents.example/ops/a2a/jsonrpc', 'https://agents.example/ops/a2a/v1'],
  );
});

test('C013 the card is made of the public address alone, whatever path the agent is mounted below', async (t) => {
  for (const publicUrl of ['https://tenant.example/a2a/agents/x', 'https://tenant.example/a2a/agents/x/']) {
    const agent = await serve(t, async () => '', { publicUrl, basePath: '/firefly/agents' });
    const root = new URL('/firefly/agents', agent.url).href;
    const card = (await (await fetch(`${root}/.well-known/agent-card.json`)).json()) as {
      supportedInterfaces: readonly { url: string }[];
    };
    const paths = card.supportedInterfaces.map(({ url }) => url.slice('https://tenant.example/a2a/agents/x'.length));
    assert.deepEqual(paths, ['/a2a/jsonrpc', '/a2a/v1']);
    // A gateway that maps the public path to that of the mount finds each interface below it.
    for (const path of paths) {
      const { status } = await fetch(`${root}${path}/tasks`, { headers: { 'a2a-version': '1.0' } });
      assert.equal(status, path === '/a2a/v1' ? 200 : 404);
    }
    const sent = await fetch(`${root}${paths[0]}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ListTasks' }),
    });
    assert.equal(sent.status, 200);
  }
});

test('C028 what a turn throws while it is answered fails its task, and is no -32603', async (t) => {
  const agent = await serve(t, async ({ ask }) => {
    await ask('Who?');
    throw new AgentFailure({ code: 'quota', category: 'rate-limit' });
  });
  const paused = await agent.call('SendMessage', message('m1'));
  const taskId = paused.result?.task?.id;
  const answered = await agent.call('SendMessage', message('m2', { taskId }));
  assert.equal(answered.error, undefined);
  assert.equal(answered.result?.task?.status.state, 'TASK_STATE_FAILED');
  assert.deepEqual(answered.result?.task?.status.message?.['metadata'], { code: 'quota', error_code: 'rate-limit' });
});

test('C064 C065 an answer: streamed at once to a task that waits, refused by one that has ended', async (t) => {
  const open = gate();
  const agent = await serve(t, async function* ({ ask }) {
    const name = await ask('Who?');
    await open.promise;
    yield name;
  });
  const { task } = (await agent.call('SendMessage', message('m1'))).result ?? {};
  const stream = await agent.send('m2', { taskId: task?.id, contextId: task?.contextId });
  assert.equal((await stream.next()).task?.status.state, 'TASK_STATE_WORKING');
  const early = await agent.call('SendMessage', message('m3', { taskId: task?.id }));
  assert.equal(early.error?.code, -32004);
  assert.equal(early.headers.get('retry-after'), '1');
  open.resolve();
  assert.equal(textOf((await stream.rest()).at(-1)?.task), 'hello');
  const late = await agent.call('SendMessage', message('m4', { taskId: task?.id }));
  assert.equal(late.error?.code, -32004);
  assert.match(late.error?.message ?? '', /has ended/);
  assert.equal(late.headers.get('retry-after'), null, 'to come again would not help');
});

test('C070 the contextId of the first turn goes on with the conversation', async (t) => {
  const seen: string[] = [];
  const agent = await serve(t, async ({ contextId }) => {
    seen.push(contextId);
    return '';
  });
  const { task } = (await agent.call('SendMessage', message('m1'))).result ?? {};
  const second = await agent.call('SendMessage', message('m2', { contextId: task?.contextId }));
  assert.equal(second.result?.task?.contextId, task?.contextId);
  assert.deepEqual(seen, [task?.contextId, task?.contextId]);
});

test('C109 a header that names a user is nobody without a server that checks it', async (t) => {
  const callers: string[] = [];
  const agent = await serve(t, async ({ caller }) => {
    callers.push(caller.id);
    return '';
  });
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: message('m1') });
  await agent.post(body, { 'content-type': 'application/json', 'a2a-version': '1.0', 'x-user-id': 'admin' });
  assert.deepEqual(callers, ['']);
});

test('C115 a task that waits for a sign-in says so, and can be canceled', async (t) => {
  const agent = await serve(t, async ({ askForAuth }) => askForAuth('Sign in.'));
  const stream = await agent.send('m1');
  const frames = await stream.rest();
  const last = frames.at(-1)?.task;
  assert.equal(last?.status.state, 'TASK_STATE_AUTH_REQUIRED');
  const canceled = await agent.call('CancelTask', { id: last?.id });
  assert.equal(canceled.result?.status?.state, 'TASK_STATE_CANCELED');
});

test('C121 nothing of 0.3 stands in a 1.0 stream: no final, no kind', async (t) => {
  const agent = await serve(t, async function* ({ ask }) {
    yield 'a';
    await ask('Who?');
  });
  const frames = await (await agent.send('m1')).rest();
  assert.ok(frames.length > 3);
  assert.doesNotMatch(JSON.stringify(frames), /"final"|"kind"/);
});
