import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerOf } from '../../test/wire-client.ts';
import { AGENT_LIMITS, AgentServer, type AgentServerOptions, MemoryTaskStore, type PushFetch } from '../index.ts';

const AGENT = { name: 'Test', description: 'An agent of a test.', turn: async () => 'done' };
const taken: PushFetch = async () => new Response();

async function start(options: Partial<AgentServerOptions> = {}) {
  const server = new AgentServer(AGENT, { url: 'http://agent.example', push: { fetch: taken }, ...options });
  await server.open();
  return server;
}

interface Answer {
  readonly result?: Record<string, unknown> & { readonly configs?: readonly Record<string, unknown>[] };
  readonly error?: { readonly code: number; readonly message: string };
}

function clientOf(server: AgentServer, headers: Record<string, string> = {}) {
  const caller = callerOf(server, headers);
  const call = async (verb: string, params: object): Promise<Answer> =>
    (await caller.rpc(`${verb}TaskPushNotificationConfig${verb === 'List' ? 's' : ''}`, params)) as Answer;
  return { ...caller, call };
}

const SECRET = { token: 'secret', authentication: { scheme: 'Bearer', credentials: 'secret' } };

test('P4 a webhook is created, read, listed and deleted; its secrets come back to nobody', async () => {
  const { call, task } = clientOf(await start());
  const { id: taskId } = await task('m1', 'go');
  const shown = { taskId, id: 'mine', url: 'https://hooks.example/a', authentication: { scheme: 'Bearer' } };
  const created = await call('Create', { taskId, id: 'mine', url: 'https://hooks.example/a', ...SECRET });
  assert.deepEqual(created.result, shown);
  assert.deepEqual((await call('Get', { taskId, id: 'mine' })).result, shown);
  const { result: other } = await call('Create', { taskId, url: 'https://hooks.example/b', tenant: '', token: null });
  assert.match(String(other?.['id']), /^[\da-f-]{36}$/);
  assert.deepEqual(other, { taskId, id: other?.['id'], url: 'https://hooks.example/b' });
  assert.deepEqual((await call('List', { taskId })).result, { configs: [shown, other], nextPageToken: '' });
  for (let times = 0; times < 2; times += 1) {
    assert.deepEqual((await call('Delete', { taskId, id: 'mine' })).result, {});
  }
  const { error } = await call('Get', { taskId, id: 'mine' });
  assert.deepEqual([error?.code, error?.message], [-32001, 'The task has no webhook of this id.']);
  assert.deepEqual((await call('List', { taskId })).result?.configs, [other]);
});

test('P4 the same over HTTP+JSON', async () => {
  const server = await start();
  const { id: taskId } = await clientOf(server).task('m1', 'go');
  const ask = async (method: string, path = '', body?: object) => {
    const response = await server.fetch(
      new Request(`http://agent.example/a2a/v1/tasks/${taskId}/pushNotificationConfigs${path}`, {
        method,
        headers: { 'a2a-version': '1.0', 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    return { status: response.status, body: await response.json() };
  };
  const shown = { taskId, id: 'a/b', url: 'https://hooks.example/' };
  const created = await ask('POST', '', { id: 'a/b', url: shown.url, token: 'secret' });
  assert.deepEqual(created, { status: 200, body: shown });
  assert.deepEqual((await ask('GET', '/a%2Fb')).body, shown);
  assert.deepEqual((await ask('GET')).body, { configs: [shown], nextPageToken: '' });
  assert.deepEqual(await ask('DELETE', '/a%2Fb'), { status: 200, body: {} });
  assert.equal((await ask('GET', '/a%2Fb')).status, 404);
});

test("C110 another's task is no task, in each of the four", async () => {
  const authenticate: AgentServerOptions['authenticate'] = ({ header }) => ({ id: header('x-user') ?? '' });
  const server = await start({ authenticate });
  const [ada, bob] = ['ada', 'bob'].map((user) => clientOf(server, { 'x-user': user }));
  const taskId = (await ada?.task('m1', 'go'))?.id;
  await ada?.call('Create', { taskId, id: 'mine', url: 'https://hooks.example/' });
  for (const verb of ['Create', 'Get', 'List', 'Delete']) {
    const params = { id: 'mine', url: 'https://hooks.example/' };
    const foreign = await bob?.call(verb, { ...params, taskId });
    assert.deepEqual(foreign, await bob?.call(verb, { ...params, taskId: 'nothing' }));
    assert.equal(foreign?.error?.code, -32001, verb);
  }
  assert.equal((await ada?.call('List', { taskId }))?.result?.configs?.length, 1);
});

test('C119 what would break a header, is no address or is too long is refused, and not repeated', async () => {
  const { call, rpc, task } = clientOf(await start());
  const { id: taskId } = await task('m1', 'go');
  const url = 'https://hooks.example/';
  const bad: Record<string, unknown>[] = [
    { url, token: 'secret\r\nX-B: c' },
    { url, token: 'secret\u00e9' },
    { url, token: ' secret' },
    { url, token: 7 },
    { url, authentication: 'secret' },
    { url, authentication: { credentials: 'secret' } },
    { url, authentication: { scheme: 'Bearer secret' } },
    { url, authentication: { scheme: 'Bearer', credentials: 'secret\n' } },
    { url: '' },
    {},
    { url: 7 },
    { url: '/secret' },
    { url: 'ftp://secret.example/' },
    { url: 'https://hooks.example/\r\nsecret' },
    { url: ' https://hooks.example/' },
    { url: 'https://hooks.example/\u0000secret' },
    { url: 'https://user:secret@hooks.example/' },
    { url: url + 'a'.repeat(AGENT_LIMITS.webhookCharacters) },
    { url, token: 'a'.repeat(AGENT_LIMITS.webhookCharacters) },
    { url, id: 'a'.repeat(AGENT_LIMITS.idCharacters + 1) },
  ];
  for (const params of bad) {
    const { error } = await call('Create', { taskId, ...params });
    assert.equal(error?.code, -32602, JSON.stringify(params));
    assert.doesNotMatch(error?.message ?? '', /secret/);
    const message = { messageId: 'm2', role: 'ROLE_USER', parts: [{ text: 'go' }] };
    const inline = await rpc('SendMessage', { message, configuration: { taskPushNotificationConfig: params } });
    assert.equal(inline.error?.code, -32602, JSON.stringify(params));
    assert.match(inline.error?.message ?? '', /^(configuration\.taskPushNotificationConfig\.|A webhook)/);
  }
  assert.equal((await rpc('ListTasks', {})).result?.tasks?.length, 1);
  const message = { messageId: 'm2', role: 'ROLE_USER', parts: [{ text: 'go' }] };
  const inline = await rpc('SendMessage', { message, configuration: { taskPushNotificationConfig: 'x' } });
  assert.equal(inline.error?.code, -32602);
});

test('C119 a task has so many webhooks and no more', async () => {
  const { call, task, rpc } = clientOf(await start());
  const { id: taskId } = await task('m1', 'go');
  for (let n = 0; n < AGENT_LIMITS.taskWebhooks; n += 1) {
    assert.ok((await call('Create', { taskId, url: 'https://hooks.example/' })).result);
  }
  assert.equal((await call('Create', { taskId, url: 'https://hooks.example/' })).error?.code, -32602);
  const message = { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'go' }] };
  const taskPushNotificationConfig = { url: 'https://hooks.example/' };
  const repeated = await rpc('SendMessage', { message, configuration: { taskPushNotificationConfig } });
  assert.equal(repeated.error?.code, -32602);
});

test('without push the card says so, and what asks for it is refused', async () => {
  const cardOf = async (server: AgentServer) => {
    const response = await server.fetch(new Request('http://agent.example/.well-known/agent-card.json'));
    return ((await response.json()) as { capabilities: { pushNotifications: boolean } }).capabilities.pushNotifications;
  };
  assert.equal(await cardOf(await start()), true);
  const server = new AgentServer(AGENT, { url: 'http://agent.example' });
  await server.open();
  assert.equal(await cardOf(server), false);
  const { call, rpc, task } = clientOf(server);
  const { id: taskId } = await task('m1', 'go');
  for (const verb of ['Create', 'Get', 'List', 'Delete']) {
    assert.equal((await call(verb, { taskId, id: 'a', url: 'https://hooks.example/' })).error?.code, -32003);
  }
  const message = { messageId: 'm2', role: 'ROLE_USER', parts: [{ text: 'go' }] };
  const taskPushNotificationConfig = { url: 'https://hooks.example/' };
  const inline = await rpc('SendMessage', { message, configuration: { taskPushNotificationConfig } });
  assert.equal(inline.error?.code, -32003);
});

test('a store that keeps no webhooks, and a key that is none, are told at once', () => {
  const { begin, read, webhooks } = new MemoryTaskStore();
  const store = { begin, read, webhooks } as unknown as MemoryTaskStore;
  const make = (options: Partial<AgentServerOptions>) => () =>
    new AgentServer(AGENT, { url: 'http://a.example', ...options });
  assert.throws(make({ store, push: {} }), { name: 'TypeError', message: /PushStore/ });
  assert.throws(make({ push: { signingKeys: ['secret'] } }), { name: 'TypeError', message: /whsec_/ });
});
