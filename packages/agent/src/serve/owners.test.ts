import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AgentServer, type ProtocolVersion, type PushFetch } from '../index.ts';

const taken: PushFetch = async () => new Response();
const URL_BASE = 'http://agent.example';

async function start() {
  const turn = async ({ ask }: { ask: (question: string) => Promise<string> }) => ask('Who?');
  const server = new AgentServer(
    { name: 'Test', description: 'An agent of a test.', turn },
    {
      url: URL_BASE,
      protocols: ['1.0', '0.3'],
      push: { fetch: taken },
      authenticate: ({ header }) => ({ id: header('x-user') ?? '' }),
    },
  );
  await server.open();
  return server;
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

const rpc = (method: string, params: object): Call => ({
  method: 'POST',
  path: '/a2a/jsonrpc',
  body: { jsonrpc: '2.0', id: 1, method, params },
});

const HOOK = { url: 'https://hooks.example/' };

/** Every operation that names a task, on each wire. */
function operations(taskId: string): Readonly<Record<string, readonly [ProtocolVersion, ...Call[]]>> {
  const config = { taskId, id: 'mine' };
  const to = { messageId: 'm2', taskId };
  const message = { ...to, role: 'ROLE_USER', parts: [{ text: 'Bob' }] };
  const message03 = { ...to, kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'Bob' }] };
  const rest = (body: object): Call[] => [
    { method: 'GET', path: `/a2a/v1/tasks/${taskId}` },
    { method: 'POST', path: `/a2a/v1/tasks/${taskId}:cancel` },
    { method: 'GET', path: `/a2a/v1/tasks/${taskId}:subscribe` },
    { method: 'POST', path: `/a2a/v1/tasks/${taskId}:subscribe` },
    { method: 'POST', path: '/a2a/v1/message:send', body },
    { method: 'POST', path: '/a2a/v1/message:stream', body },
    { method: 'GET', path: `/a2a/v1/tasks/${taskId}/pushNotificationConfigs` },
    { method: 'POST', path: `/a2a/v1/tasks/${taskId}/pushNotificationConfigs`, body: HOOK },
    { method: 'GET', path: `/a2a/v1/tasks/${taskId}/pushNotificationConfigs/mine` },
    { method: 'DELETE', path: `/a2a/v1/tasks/${taskId}/pushNotificationConfigs/mine` },
  ];
  return {
    'JSON-RPC of 1.0': [
      '1.0',
      ...['GetTask', 'CancelTask', 'SubscribeToTask'].map((method) => rpc(method, { id: taskId })),
      ...['SendMessage', 'SendStreamingMessage'].map((method) => rpc(method, { message })),
      rpc('CreateTaskPushNotificationConfig', { ...config, ...HOOK }),
      rpc('GetTaskPushNotificationConfig', config),
      rpc('ListTaskPushNotificationConfigs', config),
      rpc('DeleteTaskPushNotificationConfig', config),
    ],
    'HTTP+JSON of 1.0': ['1.0', ...rest({ message })],
    'JSON-RPC of 0.3': [
      '0.3',
      ...['tasks/get', 'tasks/cancel', 'tasks/resubscribe'].map((method) => rpc(method, { id: taskId })),
      ...['message/send', 'message/stream'].map((method) => rpc(method, { message: message03 })),
      rpc('tasks/pushNotificationConfig/set', { taskId, pushNotificationConfig: HOOK }),
      rpc('tasks/pushNotificationConfig/get', { id: taskId, pushNotificationConfigId: 'mine' }),
      rpc('tasks/pushNotificationConfig/list', { id: taskId }),
      rpc('tasks/pushNotificationConfig/delete', { id: taskId, pushNotificationConfigId: 'mine' }),
    ],
    'HTTP+JSON of 0.3': ['0.3', ...rest({ request: message03 })],
  };
}

test("C110 another's task is no task: the same answer as to an id that nobody has, by every operation on every wire", async () => {
  const server = await start();
  const ask = async (user: string, version: ProtocolVersion, { method, path, body }: Call) => {
    const answer = await server.fetch(
      new Request(URL_BASE + path, {
        method,
        headers: { 'content-type': 'application/json', 'a2a-version': version, 'x-user': user },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    return { status: answer.status, text: await answer.text() };
  };
  const send = rpc('SendMessage', { message: { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'go' }] } });
  const taskId: string = JSON.parse((await ask('ada', '1.0', send)).text).result.task.id;
  await ask('ada', '1.0', rpc('CreateTaskPushNotificationConfig', { taskId, id: 'mine', ...HOOK }));
  const nobodys = operations('nobodys');
  for (const [wire, [version, ...asked]] of Object.entries(operations(taskId))) {
    const [, ...others] = nobodys[wire] ?? [];
    for (const [index, request] of asked.entries()) {
      const foreign = await ask('bob', version, request);
      const name = `${wire}: ${request.method} ${request.path} ${JSON.stringify(request.body)}`;
      assert.match(foreign.text, /-32001|TASK_NOT_FOUND/, name);
      assert.deepEqual(foreign, await ask('bob', version, others[index] ?? request), name);
    }
  }
  const { result } = JSON.parse((await ask('ada', '1.0', rpc('GetTask', { id: taskId }))).text);
  assert.equal(result.status.state, 'TASK_STATE_INPUT_REQUIRED');
  const hooks = JSON.parse((await ask('ada', '1.0', rpc('ListTaskPushNotificationConfigs', { taskId }))).text);
  assert.equal(hooks.result.configs.length, 1);
  for (const request of [rpc('ListTasks', {}), { method: 'GET', path: '/a2a/v1/tasks' }]) {
    assert.match((await ask('bob', '1.0', request)).text, /"totalSize":0/);
  }
});
