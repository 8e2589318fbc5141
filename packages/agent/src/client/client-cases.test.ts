import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hear } from '../../test/heard.ts';
import { cardOf, chunk, frame, json, raw, rawAgent, rpc, state, stream, task } from '../../test/raw-agent.ts';
import { Client } from '../index.ts';

const rpcAt = (url: string) => ({ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' });

test('C014 the fuller card moves no call: where they go was decided by the card that was connected by', async (t) => {
  const agent = await rawAgent(
    t,
    (asked, response) => {
      const isCard = asked.body.method === 'GetExtendedAgentCard';
      const fuller = cardOf([rpcAt('http://elsewhere.example/')]);
      rpc(response, asked, isCard ? { ...fuller, url: '' } : task('COMPLETED', 'here'));
    },
    (url) => cardOf([rpcAt(url)], { capabilities: { extendedAgentCard: true } }),
  );
  const client = await Client.connect(agent.url);
  assert.equal((await client.getExtendedAgentCard()).interfaces[0]?.url, 'http://elsewhere.example/');
  assert.equal((await client.sendMessage('hello')).text, 'here');
  assert.equal(client.endpoint.url, `${agent.url}/`);
});

test('C005 a card without an address, or with an empty one, is refused and not called', async () => {
  for (const card of [cardOf([rpcAt('')]), { ...cardOf([]), protocolVersion: '0.3.0', url: '' }]) {
    await assert.rejects(Client.connect(card), { name: 'CardError' });
  }
});

test('C034 an event is told by its kind before it is read, and one that is none has one reason', async (t) => {
  const status = { kind: 'status-update', taskId: 't', contextId: 'c', final: true, status: { state: 'completed' } };
  const right = await hear(t, (_, response) => stream(response, [status]));
  assert.deepEqual([right.kinds, right.result.kind], [['status-update'], 'finished']);
  const wrong = await hear(t, (_, response) => stream(response, [{ kind: 'status', taskId: 't' }]));
  assert.ok(wrong.result.kind === 'transport-failure');
  assert.equal(wrong.result.why.split('. ').length, 1, wrong.result.why);
});

test('C067 a task that failed before its stream broke has failed, and is no lost connection', async (t) => {
  const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'no' }], metadata: { code: 'bad-context' } };
  const { result } = await hear(t, (_, response) => raw(response, frame(state('FAILED', { message })), 'cut'));
  assert.ok(result.kind === 'finished' && result.from === 'task');
  assert.equal(result.state, 'failed');
  assert.deepEqual(result.task.status.message?.metadata, { code: 'bad-context' });
});

test('C091 a message of metadata alone is heard, and says nothing', async (t) => {
  const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [], metadata: { a: 1 } };
  const working = { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING', message } } };
  const { kinds, result } = await hear(t, (_, response) =>
    stream(response, [working, chunk('hi', false), state('COMPLETED')]),
  );
  assert.deepEqual(kinds, ['status-update', 'artifact-update', 'status-update']);
  assert.deepEqual([result.kind, result.text], ['finished', 'hi']);
});

test('C112 headers of the caller go with every call, that for the card included', async (t) => {
  const agent = await rawAgent(
    t,
    (asked, response) => {
      const { method = '' } = asked.body;
      if (asked.path.endsWith('.json')) return json(response, cardOf([rpcAt(agent.url)]));
      if (/Stream|Subscribe/.test(method)) return stream(response, [task('COMPLETED')]);
      if (method === 'ListTasks') return rpc(response, asked, { tasks: [], nextPageToken: '' });
      rpc(response, asked, method === 'SendMessage' ? task('COMPLETED') : task('CANCELED').task);
    },
    'none',
  );
  const client = await Client.connect(agent.url, { headers: { authorization: 'Bearer own' } });
  await client.sendMessage('hello');
  await client.getTask('t');
  await client.cancelTask('t');
  await client.listTasks();
  for (const stream of [client.sendStreamingMessage('hello'), client.subscribeToTask('t')]) {
    for await (const _ of stream);
  }
  assert.deepEqual(
    agent.asked.map(({ headers }) => headers.authorization),
    Array(7).fill('Bearer own'),
  );
});
