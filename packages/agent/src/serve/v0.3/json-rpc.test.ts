import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LegacyAnswer, legacyCallerOf, legacyMessage } from '../../../test/legacy-client.ts';
import { callerOf } from '../../../test/wire-client.ts';
import { type AgentDefinition, AgentServer, type AgentServerOptions } from '../../index.ts';

const OPTIONS = { url: 'http://agent.example', protocols: ['1.0', '0.3'], onError: () => undefined } as const;

async function start(turn: NonNullable<AgentDefinition['turn']>, options: Partial<AgentServerOptions> = {}) {
  const definition = { name: 'Test', description: 'An agent of a test.', inputModes: ['*/*'], turn };
  const server = new AgentServer(definition, { ...OPTIONS, ...options });
  await server.open();
  return server;
}

const kindsOf = (answers: readonly LegacyAnswer[]) => answers.map(({ result }) => result?.['kind']);

test('a turn of 0.3 is sent, streamed, read and canceled in the words of 0.3', async () => {
  const server = await start(async function* ({ text, ask }) {
    yield text;
    if (text === 'wait') await ask('Where?');
  });
  const { rpc, stream } = legacyCallerOf(server);
  const sent = await rpc('message/send', legacyMessage('m1'));
  const { id, contextId, status, artifacts, history, ...rest } = sent.result as Record<string, never>;
  assert.deepEqual(rest, { kind: 'task' });
  assert.equal(status?.['state'], 'completed');
  assert.deepEqual(artifacts, [{ artifactId: 'answer', parts: [{ kind: 'text', text: 'hello' }] }]);
  assert.deepEqual(history, [{ ...legacyMessage('m1').message, contextId, taskId: id }]);
  assert.deepEqual((await rpc('tasks/get', { id })).result, sent.result);
  assert.equal((await rpc('tasks/get', { id, historyLength: 0 })).result?.['history'], undefined);
  assert.equal((await rpc('tasks/cancel', { id })).error?.code, -32002);

  const events = await stream('message/stream', legacyMessage('m2', { parts: [{ kind: 'text', text: 'wait' }] }));
  assert.deepEqual(kindsOf(events), ['task', 'status-update', 'artifact-update', 'status-update']);
  const waiting = events.at(-1)?.result as { taskId: string; status: { state: string; message: object } };
  assert.equal(waiting.status.state, 'input-required');
  const { kind, role, parts } = waiting.status.message as Record<string, unknown>;
  assert.deepEqual(
    { kind, role, parts },
    { kind: 'message', role: 'agent', parts: [{ kind: 'text', text: 'Where?' }] },
  );
  assert.equal((await rpc('tasks/cancel', { id: waiting.taskId })).result?.['status']?.['state' as never], 'canceled');
});

test('only the last event of a 0.3 stream is final, also when its task waits or was over', async () => {
  const server = await start(async ({ text, ask }) => (text === 'ask' ? ask('Where?') : 'done'));
  const { stream } = legacyCallerOf(server);
  const finals = (answers: readonly LegacyAnswer[]) => answers.map(({ result }) => result?.['final'] ?? false);
  const asking = legacyMessage('m1', { parts: [{ kind: 'text', text: 'ask' }] });
  for (const params of [legacyMessage('m2'), legacyMessage('m2'), asking, asking]) {
    const events = await stream('message/stream', params);
    const last = events.at(-1)?.result as { kind: string; status: { state: string } };
    assert.equal(last.kind, 'status-update');
    assert.deepEqual(finals(events), [...Array(events.length - 1).fill(false), true]);
  }
  const id = (await stream('message/stream', asking))[0]?.result?.['id'];
  assert.deepEqual(kindsOf(await stream('tasks/resubscribe', { id })), ['task', 'status-update']);
});

test('message/send waits unless blocking is false, with a configuration and without', async () => {
  const open = Promise.withResolvers<void>();
  const server = await start(async () => open.promise.then(() => 'done'));
  const { rpc } = legacyCallerOf(server);
  const send = async (messageId: string, configuration?: object) =>
    (
      (await rpc('message/send', { ...legacyMessage(messageId), configuration })).result as {
        status: { state: string };
      }
    ).status.state;
  assert.equal(await send('m1', { blocking: false }), 'working');
  const waiting = [send('m2'), send('m3', {}), send('m4', { blocking: true }), send('m5', { historyLength: 0 })];
  open.resolve();
  assert.deepEqual(await Promise.all(waiting), Array(4).fill('completed'));
});

test('parts of every kind come and go in the form of 0.3', async () => {
  const server = await start(async function* ({ parts }) {
    for (const part of parts) yield { part };
    yield { part: { kind: 'data', data: [1, 2] } };
  });
  const parts = [
    { kind: 'text', text: 'a', metadata: { own: 1 } },
    { kind: 'file', file: { uri: 'https://a.example/b', mimeType: 'text/html', name: 'b' } },
    { kind: 'file', file: { bytes: 'AQI=' } },
    { kind: 'data', data: { rows: 2 } },
    { kind: 'data', data: { value: 7 }, metadata: { data_part_compat: true } },
  ];
  const { result } = await legacyCallerOf(server).rpc('message/send', legacyMessage('m1', { parts }));
  const { history, artifacts } = result as Record<string, { parts: { metadata?: unknown }[] }[]>;
  assert.deepEqual(history?.[0]?.parts, parts);
  const { metadata: _, ...text } = parts[0] as { metadata: unknown };
  assert.deepEqual(artifacts?.[0]?.parts, [
    text,
    ...parts.slice(1),
    { kind: 'data', data: { value: [1, 2] }, metadata: { data_part_compat: true } },
  ]);
  // Inside they are parts of 1.0.
  const { result: read } = await callerOf(server).rpc('GetTask', { id: result?.['id'] });
  assert.deepEqual(read?.artifacts?.[0]?.parts.slice(-2), [{ data: 7 }, { data: [1, 2] }]);
});

test('malformed requests of 0.3 get the errors of 0.3, and no turn runs', async () => {
  let turns = 0;
  const server = await start(async () => {
    turns += 1;
    return '';
  });
  const { rpc, stream, post } = legacyCallerOf(server);
  const wrong: [string, unknown, number][] = [
    ['SendMessage', {}, -32601],
    ['tasks/list', {}, -32601],
    ['message/send', {}, -32602],
    ['message/send', legacyMessage('m', { kind: 'task' }), -32602],
    ['message/send', legacyMessage('m', { role: 'ROLE_USER' }), -32602],
    ['message/send', legacyMessage('m', { role: 'agent' }), -32602],
    ['message/send', legacyMessage('', {}), -32602],
    ['message/send', legacyMessage('m', { parts: [] }), -32602],
    ['message/send', legacyMessage('m', { parts: 'hello' }), -32602],
    ['message/send', legacyMessage('m', { parts: [{ text: 'no kind' }] }), -32602],
    ['message/send', legacyMessage('m', { parts: [{ kind: 'text' }] }), -32602],
    ['message/send', legacyMessage('m', { parts: [{ kind: 'data', data: [1] }] }), -32602],
    ['message/send', legacyMessage('m', { parts: [{ kind: 'file', file: {} }] }), -32602],
    ['message/send', legacyMessage('m', { parts: [{ kind: 'file', file: { uri: 'a', bytes: 'b' } }] }), -32602],
    ['message/send', { ...legacyMessage('m'), configuration: { blocking: 'no' } }, -32602],
    ['message/send', { ...legacyMessage('m'), configuration: [] }, -32602],
    ['tasks/get', { id: 'none' }, -32001],
    ['tasks/cancel', {}, -32602],
    ['agent/getAuthenticatedExtendedCard', undefined, -32007],
    ['tasks/pushNotificationConfig/list', { id: 'none' }, -32003],
  ];
  for (const id of [0, 'a', null]) {
    for (const [method, params, code] of wrong) {
      const answer = await rpc(method, params, id);
      assert.deepEqual([answer.id, answer.error?.code], [id, code], `${method} ${JSON.stringify(params)}`);
    }
  }
  // A streaming method answers with a stream, whatever it says.
  assert.deepEqual(
    (await stream('tasks/resubscribe', { id: 'none' })).map(({ id, error }) => [id, error?.code]),
    [['s', -32001]],
  );
  const bare = { jsonrpc: '2.0', method: 'tasks/get', params: { id: 'none' } };
  const codeOf = async (body: unknown) => ((await (await post(body)).json()) as LegacyAnswer).error?.code;
  assert.equal(await codeOf(bare), -32600);
  assert.equal(await codeOf({ ...bare, method: 'tasks/read' }), -32601);
  assert.equal(await codeOf([bare]), -32600);
  assert.equal(turns, 0);
});

test('C142 a role in small letters is right in 0.3, over both bindings, at a server that also speaks 1.0', async () => {
  const server = await start(async ({ text }) => text);
  const { rpc, stream, http } = legacyCallerOf(server);
  const sent = await rpc('message/send', legacyMessage('m1'));
  const rpcTask = sent.result as { status: { state: string }; history: { role: string }[] };
  assert.deepEqual([rpcTask.status.state, rpcTask.history[0]?.role], ['completed', 'user']);
  assert.deepEqual(kindsOf((await stream('message/stream', legacyMessage('m2'))).slice(0, 1)), ['task']);
  const { status, json } = await http('POST', '/v1/message:send', legacyMessage('m3'));
  assert.equal(status, 200, JSON.stringify(json));
  const httpTask = json['task'] as typeof rpcTask;
  assert.deepEqual([httpTask.status.state, httpTask.history[0]?.role], ['TASK_STATE_COMPLETED', 'ROLE_USER']);
  // Each version is held to its own spelling.
  const { send, task } = callerOf(server);
  assert.equal((await task('m4', 'hello')).status.state, 'TASK_STATE_COMPLETED');
  assert.equal((await send('m5', 'hello', { role: 'user' })).error?.code, -32602);
});

test('C139 C140 the version decides, and nothing of 0.3 is there unless it is asked for', async () => {
  const turn = async () => 'done';
  const both = await start(turn);
  const strict = await start(turn, { protocols: ['1.0'] });
  const ask = async (server: AgentServer, method: string, version?: string) => {
    const headers: Record<string, string> = version === undefined ? {} : { 'a2a-version': version };
    const { error } = await legacyCallerOf(server, headers).rpc(method, { id: 'none' });
    return error?.code;
  };
  for (const version of [undefined, '0.3', '0.3.0', ' 0.3 ', '00.3']) {
    assert.equal(await ask(both, 'tasks/get', version), -32001, version);
    assert.equal(await ask(both, 'GetTask', version), -32601, version);
    assert.equal(await ask(strict, 'tasks/get', version), -32009, version);
  }
  assert.equal(await ask(both, 'GetTask', '1.0'), -32001);
  assert.equal(await ask(both, 'tasks/get', '1.0'), -32601);
  for (const version of ['0.30', '0.2', '2.0', 'x'])
    assert.equal(await ask(both, 'tasks/get', version), -32009, version);
  const { status } = await legacyCallerOf(strict).http('GET', '/v1/card');
  assert.equal(status, 404);
  assert.throws(
    () => new AgentServer({ name: 'a', description: 'b', turn }, { ...OPTIONS, protocols: [] }),
    /protocols/,
  );
});
