import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answering, cardOf, json, rawAgent, rpc, rpcError } from '../../test/raw-agent.ts';
import { bareTask, connected, last, line, TASKS, taskOf } from '../../test/wires.ts';
import { Client } from '../index.ts';

test('a tenant is a member of JSON-RPC params and the first segment of an HTTP+JSON path', async (t) => {
  const tenant = 'a b';
  const rpcCard = (url: string) => cardOf([{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant }]);
  const one = await rawAgent(t, (asked, response) => rpc(response, asked, TASKS['JSONRPC 1.0']), rpcCard);
  await (await Client.connect(one.url)).getTask('t');
  assert.deepEqual(last(one).body.params, { id: 't', tenant });
  await (await Client.connect(one.url, { tenant: 'mine' })).getTask('t');
  assert.deepEqual(last(one).body.params, { id: 't', tenant: 'mine' });
  const { client, agent } = await connected(
    t,
    'HTTP+JSON 1.0',
    (_, response) => json(response, bareTask('HTTP+JSON 1.0')),
    { tenant },
  );
  await client.getTask('t');
  assert.equal(line(last(agent)), 'GET /rest/a%20b/tasks/t');
  await client.sendMessage('hello');
  assert.equal(line(last(agent)), 'POST /rest/a%20b/message:send');
});

test('an answer before the end is running, and one that cannot be read is a transport failure', async (t) => {
  const working = taskOf('TASK_STATE_WORKING', 'parts', [{ text: 'so far' }]);
  const answers: [Answering, string, string][] = [
    [(asked, response) => rpc(response, asked, { task: working }), 'running', 'so far'],
    [
      (asked, response) =>
        rpc(response, asked, { task: { ...working, status: { state: 'TASK_STATE_AUTH_REQUIRED' } } }),
      'paused',
      'so far',
    ],
    [
      (asked, response) => rpc(response, asked, { message: { role: 'ROLE_AGENT', parts: [{ text: 'bare' }] } }),
      'finished',
      'bare',
    ],
    [(_, response) => response.end('<html>'), 'transport-failure', ''],
    [(asked, response) => rpc(response, asked, {}), 'transport-failure', ''],
    [(_, response) => response.destroy(), 'transport-failure', ''],
    [
      (_, response) => response.end(`{"jsonrpc":"2.0","id":1,"result":"${'x'.repeat(17 * 1_024 * 1_024)}"}`),
      'transport-failure',
      '',
    ],
  ];
  for (const [answer, kind, text] of answers) {
    const { client } = await connected(t, 'JSONRPC 1.0', answer);
    const result = await client.sendMessage('hello');
    assert.equal(result.kind, kind);
    assert.equal(result.text, text);
    if (result.kind === 'transport-failure') assert.deepEqual([result.messageId, result.delivery], ['id-1', 'unknown']);
  }
});

test('C061 a cancel of a task that has ended gives its end; of one that runs, the error', async (t) => {
  for (const [state, wanted] of [
    ['TASK_STATE_CANCELED', 'canceled'],
    ['TASK_STATE_WORKING', undefined],
  ] as const) {
    const { client } = await connected(t, 'JSONRPC 1.0', (asked, response) => {
      if (asked.body.method === 'CancelTask') rpcError(response, asked, -32002);
      else rpc(response, asked, { id: 't', status: { state } });
    });
    if (wanted === undefined) await assert.rejects(client.cancelTask('t'), { name: 'AgentError', code: -32002 });
    else assert.equal((await client.cancelTask('t')).state, wanted);
    // The Python SDK's 0.3 has no code there.
    const plain = await connected(t, 'HTTP+JSON 0.3', ({ method }, response) => {
      if (method === 'POST') json(response, { message: 'no' }, 409);
      else json(response, { id: 't', status: { state } });
    });
    if (wanted === undefined) await assert.rejects(plain.client.cancelTask('t'), { name: 'AgentError', status: 409 });
    else assert.equal((await plain.client.cancelTask('t')).state, wanted);
  }
});

test('C127 all tasks: to the last page, and never round in a circle', async (t) => {
  const pages: Record<string, string> = { '': 'two', two: '', loop: 'loop' };
  const { client } = await connected(t, 'JSONRPC 1.0', (asked, response) => {
    const token = String(asked.body.params?.['pageToken'] ?? '');
    rpc(response, asked, { tasks: [{ id: `of ${token}` }], nextPageToken: pages[token] ?? `${Number(token) + 1}` });
  });
  const ids = async (pageToken?: string): Promise<string[]> => {
    const seen: string[] = [];
    for await (const { id } of client.allTasks(pageToken === undefined ? {} : { pageToken })) seen.push(id);
    return seen;
  };
  assert.deepEqual(await ids(), ['of ', 'of two']);
  await assert.rejects(ids('loop'), /twice/);
  await assert.rejects(ids('7'), /more than 100 pages/);
});
