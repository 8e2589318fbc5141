import assert from 'node:assert/strict';
import { test } from 'node:test';
import { legacyCallerOf } from '../../../test/legacy-client.ts';
import { AgentServer } from '../../index.ts';

async function start() {
  const definition = {
    name: 'Test',
    description: 'An agent of a test.',
    inputModes: ['*/*'],
    async *turn({ parts, text, ask }: Parameters<ConstructorParameters<typeof AgentServer>[0]['turn'] & {}>[0]) {
      for (const part of parts) yield { part };
      if (text === 'wait') await ask('Where?');
    },
  };
  const server = new AgentServer(definition, { url: 'http://agent.example', protocols: ['1.0', '0.3'] });
  await server.open();
  return legacyCallerOf(server);
}

const CONTENT = [
  { text: 'hello' },
  { file: { fileWithBytes: 'AQI=', mimeType: 'image/png', name: 'a.png' } },
  { file: { fileWithUri: 'https://a.example/b' } },
  { data: { data: { rows: 2 } } },
];

test('HTTP+JSON of 0.3 is the JSON of its protocol buffers', async () => {
  const { http } = await start();
  const message = { messageId: 'm1', role: 'ROLE_USER', content: CONTENT };
  const sent = await http('POST', '/v1/message:send', { message });
  assert.equal(sent.status, 200);
  const task = sent.json['task'] as Record<string, Record<string, unknown>[] & { state: string }>;
  const { id, contextId } = task as unknown as Record<string, string>;
  assert.equal(task['status']?.state, 'TASK_STATE_COMPLETED');
  assert.deepEqual(task['artifacts']?.[0]?.['parts'], CONTENT);
  assert.deepEqual(task['history'], [{ ...message, contextId, taskId: id }]);
  assert.equal(task['kind'], undefined);
  assert.deepEqual((await http('GET', `/v1/tasks/${id}`)).json, task);
  for (const query of ['historyLength=0', 'history_length=0']) {
    assert.equal((await http('GET', `/v1/tasks/${id}?${query}`)).json['history'], undefined);
  }
});

test('members in the spelling of protocol buffers, and bodies as over JSON-RPC, are read, too', async () => {
  const { http } = await start();
  const bodies = [
    {
      request: { message_id: 'm1', context_id: 'c1', role: 1, content: [{ text: 'hello' }] },
      configuration: { history_length: 1, blocking: true },
    },
    {
      message: {
        kind: 'message',
        messageId: 'm2',
        contextId: 'c1',
        role: 'user',
        parts: [{ kind: 'text', text: 'hi' }],
      },
    },
    {
      message: {
        message_id: 'm3',
        context_id: 'c1',
        role: 'ROLE_USER',
        content: [{ file: { file_with_uri: 'a', file_with_bytes: '', mime_type: 'text/html' } }],
      },
    },
  ];
  for (const body of bodies) {
    const { status, json } = await http('POST', '/v1/message:send', body);
    assert.equal(status, 200, JSON.stringify(json));
    assert.equal((json['task'] as { contextId: string }).contextId, 'c1');
  }
});

test('a configuration without blocking says not to wait, as protocol buffers leave out what is false', async () => {
  const { http } = await start();
  const stateOf = async (messageId: string, configuration?: object) => {
    const message = { messageId, role: 'ROLE_USER', content: [{ text: 'hello' }] };
    const { json } = await http('POST', '/v1/message:send', { message, configuration });
    return (json['task'] as { status: { state: string } }).status.state;
  };
  assert.equal(await stateOf('m1'), 'TASK_STATE_COMPLETED');
  assert.equal(await stateOf('m2', { blocking: true }), 'TASK_STATE_COMPLETED');
  assert.equal(await stateOf('m3', {}), 'TASK_STATE_WORKING');
});

test('a 0.3 stream over HTTP names its events by their member, and ends on a final status', async () => {
  const { http } = await start();
  const message = { messageId: 'm1', role: 'ROLE_USER', content: [{ text: 'wait' }] };
  const { frames } = await http('POST', '/v1/message:stream', { message });
  assert.deepEqual(
    frames.map((frame) => Object.keys(frame)),
    [['task'], ['statusUpdate'], ['artifactUpdate'], ['statusUpdate']],
  );
  const last = frames.at(-1)?.['statusUpdate'] as { taskId: string; final: boolean; status: { message: object } };
  assert.equal(last.final, true);
  const { role, content } = last.status.message as Record<string, unknown>;
  assert.deepEqual({ role, content }, { role: 'ROLE_AGENT', content: [{ text: 'Where?' }] });
  for (const method of ['GET', 'POST']) {
    const again = await http(method, `/v1/tasks/${last.taskId}:subscribe`);
    assert.deepEqual(again.frames.at(-1), frames.at(-1));
  }
  const canceled = await http('POST', `/v1/tasks/${last.taskId}:cancel`);
  assert.equal((canceled.json['status'] as { state: string }).state, 'TASK_STATE_CANCELLED');
});

test('errors of 0.3 over HTTP carry the code and the type, beside the status', async () => {
  const { http } = await start();
  const wrong: [string, string, unknown, number, number, string][] = [
    ['GET', '/v1/tasks/none', undefined, 404, -32001, 'TaskNotFoundError'],
    ['POST', '/v1/message:send', {}, 400, -32602, 'InvalidParamsError'],
    ['POST', '/v1/message:send', { message: { role: 'ROLE_AGENT', content: [] } }, 400, -32602, 'InvalidParamsError'],
    ['POST', '/v1/message:stream', { message: 'hello' }, 400, -32602, 'InvalidParamsError'],
    ['POST', '/v1/message:send', [], 400, -32602, 'InvalidParamsError'],
    ['GET', '/v1/card', undefined, 400, -32007, 'AuthenticatedExtendedCardNotConfiguredError'],
    ['GET', '/v1/tasks', undefined, 404, -32601, 'MethodNotFoundError'],
    ['GET', '/v1/extendedAgentCard', undefined, 404, -32601, 'MethodNotFoundError'],
    ['GET', '/v1/tasks/t/pushNotificationConfigs', undefined, 400, -32003, 'PushNotificationNotSupportedError'],
  ];
  for (const [method, path, body, status, code, type] of wrong) {
    const { json, ...answer } = await http(method, path, body);
    assert.deepEqual([answer.status, json['code'], json['type']], [status, code, type], path);
    assert.equal(typeof json['message'], 'string');
  }
});
