import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { JSON_OF_ALICE, message, TASK } from './fixtures/asked.ts';
import { type Answer, openGateway } from './fixtures/open-gateway.ts';
import { Refusal } from './refusal.ts';

function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** Answers each method of JSON-RPC with what the test says. */
const answering =
  (results: Readonly<Record<string, unknown>>): Answer =>
  (_request, response, body) => {
    const { id, method } = JSON.parse(body) as { id: unknown; method: string };
    json(response, { jsonrpc: '2.0', id, result: results[method] });
  };

const SENT = answering({ SendMessage: { task: TASK }, GetTask: TASK, CancelTask: TASK });

test('a send is carried with its bytes, on record before it is answered, and none of the headers that say who calls', async (t) => {
  const { base, asked, ledger, events } = await openGateway(t, SENT);
  const body =
    '{"jsonrpc":"2.0", "id":"é","method":"SendMessage","params":{"message":{"messageId":"m1","role":"ROLE_USER","parts":[{"text":"hi"}]}}}';
  const response = await fetch(base, {
    method: 'POST',
    headers: {
      authorization: 'Bearer alice',
      'content-type': 'application/json',
      'x-user-id': 'root',
      'a2a-forwarded-identity': 'forged',
      cookie: 'a=b',
      'a2a-extensions': 'https://x.example',
    },
    body,
  });
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { jsonrpc: '2.0', id: 'é', result: { task: TASK } });
  assert.equal(response.headers.get('a2a-space-task'), 'task-1');
  const [call] = asked;
  assert.deepEqual(call?.body, JSON.parse(body));
  assert.equal(call?.url, '/rpc');
  for (const name of ['authorization', 'x-user-id', 'a2a-forwarded-identity', 'cookie'])
    assert.equal(call?.headers[name], undefined, name);
  assert.equal(call?.headers['a2a-extensions'], 'https://x.example');
  assert.equal(call?.headers['a2a-version'], '1.0');
  const task = ledger.all.get('task-1');
  assert.deepEqual(
    [task?.remoteTaskId, task?.remoteContextId, task?.state, task?.versionId],
    ['t1', 'c1', 'completed', 'v1-0'],
  );
  assert.deepEqual(events, [
    { event: 'call-carried', space: 'demo', agent: 'echo', operation: 'SendMessage', taskId: 'task-1' },
  ]);
});

test('nobody, somebody else, and a path that is none: the agent is not asked', async (t) => {
  const { origin, base, asked, rpc } = await openGateway(t, SENT);
  const status = async (url: string, key?: string, method = 'POST') => {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const response = await fetch(url, { method, headers, ...(method === 'POST' ? { body: '{}' } : {}) });
    return [response.status, ((await response.json()) as { code: string }).code];
  };
  assert.deepEqual(await status(base), [401, 'unauthenticated']);
  assert.deepEqual(await status(base, 'mallory'), [401, 'unauthenticated']);
  const unknown = await fetch(`${origin}/spaces/none/agents/echo`, {
    method: 'POST',
    headers: JSON_OF_ALICE,
    body: '{}',
  });
  const foreign = await fetch(base, { method: 'POST', headers: { authorization: 'Bearer eve' }, body: '{}' });
  assert.equal(foreign.status, 404);
  assert.equal(await foreign.text(), await unknown.text());
  assert.deepEqual(await status(`${base}/a2a/v2/x`, 'alice'), [404, 'not-found']);
  assert.deepEqual(await status(base, 'alice', 'GET'), [405, 'method-not-allowed']);
  assert.equal((await rpc('NoSuchMethod', {})).json.error.code, -32_601);
  assert.deepEqual(asked, []);
});

test('C110 a task and a context of another caller are not found, whatever is asked of them, and the agent is not asked', async (t) => {
  const { rpc, asked } = await openGateway(t, SENT);
  await rpc('SendMessage', message());
  asked.length = 0;
  for (const [method, params] of [
    ['GetTask', { id: 't1' }],
    ['CancelTask', { id: 't1' }],
    ['SubscribeToTask', { id: 't1' }],
    ['SendMessage', message({ messageId: 'm2', taskId: 't1' })],
    ['SendMessage', message({ messageId: 'm2', referenceTaskIds: ['t1'] })],
  ] as const) {
    const [foreign, absent] = [
      await rpc(method, params, 'bob'),
      await rpc(method, replaced(params, 't1', 'none'), 'bob'),
    ];
    assert.equal(foreign.json.error.code, -32_001, method);
    assert.deepEqual(foreign.json, absent.json, method);
  }
  const context = await rpc('SendMessage', message({ messageId: 'm2', contextId: 'c1' }), 'bob');
  assert.equal(context.json.error.data[0].reason, 'CONTEXT_NOT_FOUND');
  assert.deepEqual(asked, []);
  assert.equal((await rpc('GetTask', { id: 't1' })).json.result.id, 't1');
  assert.equal((await rpc('SendMessage', message({ messageId: 'm3', contextId: 'c1' }))).status, 200);
});

const replaced = (value: object, from: string, to: string): object =>
  JSON.parse(JSON.stringify(value).replaceAll(`"${from}"`, `"${to}"`));

test('the same message is the same task, another one by its id is refused', async (t) => {
  const { rpc, ledger, asked } = await openGateway(t, SENT);
  const [first, second] = [await rpc('SendMessage', message()), await rpc('SendMessage', message())];
  assert.equal(first.headers.get('a2a-space-task'), second.headers.get('a2a-space-task'));
  assert.equal(ledger.all.size, 1);
  const other = await rpc('SendMessage', message({ parts: [{ text: 'other' }] }));
  assert.equal(other.json.error.code, -32_602);
  assert.equal(asked.length, 2);
});

test('of a list of tasks the caller sees its own, and no count of the others', async (t) => {
  const page = { tasks: [TASK, { ...TASK, id: 'foreign' }], nextPageToken: 'p2', pageSize: 2, totalSize: 40 };
  const { rpc } = await openGateway(t, answering({ SendMessage: { task: TASK }, ListTasks: page }));
  await rpc('SendMessage', message());
  const own = await rpc('ListTasks', {});
  assert.deepEqual(own.json.result, { tasks: [TASK], nextPageToken: 'p2', pageSize: 2, totalSize: 1 });
  assert.deepEqual((await rpc('ListTasks', {}, 'bob')).json.result.tasks, []);
});

test('what the agent answers that is no answer of A2A is told as the gateway tells it', async (t) => {
  for (const [status, type, body, expected, code] of [
    [401, 'application/json', '{}', 502, 'A2A_UPSTREAM_CREDENTIALS_REFUSED'],
    [503, 'text/html', '<p>', 502, 'A2A_UPSTREAM_HTTP_503'],
    [200, 'text/html', '<p>', 502, 'A2A_UPSTREAM_NOT_A2A'],
    [200, 'application/json', '{', 502, 'A2A_UPSTREAM_NOT_A2A'],
    [200, 'application/json', `${'['.repeat(80)}${']'.repeat(80)}`, 502, 'A2A_UPSTREAM_NOT_A2A'],
  ] as const) {
    const { rpc } = await openGateway(t, (_request, response) =>
      response.writeHead(status, { 'content-type': type }).end(body),
    );
    const answer = await rpc('SendMessage', message());
    assert.equal(answer.status, expected, code);
    assert.equal(answer.json.error.data[0].metadata.reason, code);
    assert.equal(answer.json.id, 7);
  }
});

test('an error of the agent is passed on as it is', async (t) => {
  const error = { code: -32_004, message: 'busy', data: [{ reason: 'BUSY' }] };
  const { rpc } = await openGateway(t, (_request, response) => json(response, { jsonrpc: '2.0', id: 7, error }));
  assert.deepEqual((await rpc('SendMessage', message())).json.error, error);
});

test('an agent that cannot be reached certainly has not got the call', async (t) => {
  const { rpc, events } = await openGateway(t, SENT, {
    parts: { upstream: () => ({ call: () => Promise.reject(new Error('a bug')) }) },
  });
  assert.equal((await rpc('SendMessage', message())).json.error.data[0].metadata.reason, 'A2A_GATEWAY_FAILED');
  assert.equal(events.at(-1)?.detail, 'Error: a bug');
});

test('HTTP+JSON of both versions goes to where the agent has it, and a path cannot lead elsewhere', async (t) => {
  const { base, asked } = await openGateway(
    t,
    (request, response) => json(response, request.method === 'POST' ? { task: TASK } : TASK),
    { versions: ['1.0', '0.3'] },
  );
  const call = (path: string, version?: string, method = 'GET', body?: object) =>
    fetch(`${base}/a2a/v1${path}`, {
      method,
      headers: {
        authorization: 'Bearer alice',
        ...(version === undefined ? {} : { 'A2A-Version': version }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  assert.equal((await call('/message:send', '1.0', 'POST', message())).status, 200);
  assert.equal((await call('/tasks/t1?historyLength=2', '1.0')).status, 200);
  assert.equal((await call('/tasks/t1')).status, 200);
  assert.deepEqual(
    asked.map(({ method, url }) => `${method} ${url}`),
    ['POST /rest/message:send', 'GET /rest/tasks/t1?historyLength=2', 'GET /rest/v1/tasks/t1'],
  );
  const foreign = await call('/tasks/none', '1.0');
  assert.equal(foreign.status, 404);
  assert.equal(((await foreign.json()) as { error: { status: string } }).error.status, 'NOT_FOUND');
  assert.equal((await call('/tasks/%2e%2e/pushNotificationConfigs', '1.0')).status, 404);
  assert.equal((await call('/tasks/t1', '2.0')).status, 400);
  assert.equal(asked.length, 3);
});

test('the tenant that a card names is told to the agent, and no caller may name one', async (t) => {
  const { rpc, asked } = await openGateway(t, SENT, { tenant: 'inner' });
  await rpc('SendMessage', message());
  assert.equal((asked[0]?.body as { params?: { tenant: string } } | undefined)?.params?.tenant, 'inner');
  assert.equal((await rpc('SendMessage', { ...message(), tenant: 'forged' })).json.error.code, -32_602);
  assert.equal(asked.length, 1);
});

test('a blocked agent is not called, and one that is unwell is', async (t) => {
  let reason = 'public-egress-disabled';
  const { rpc, asked, ledger } = await openGateway(t, SENT, { parts: { blockedReason: () => reason } });
  const blocked = await rpc('SendMessage', message());
  assert.deepEqual([blocked.status, blocked.json.error.data[0].metadata.reason], [409, 'public-egress-disabled']);
  reason = 'not-connected';
  const away = await rpc('SendMessage', message());
  assert.deepEqual([away.status, away.headers.get('retry-after')], [503, '5']);
  assert.equal(ledger.all.size, 0);
  reason = 'unhealthy';
  assert.equal((await rpc('SendMessage', message())).status, 200);
  assert.equal(asked.length, 1);
});

test('a permit that does not fit ends the call before anything else is asked', async (t) => {
  const { base, asked } = await openGateway(t, SENT, {
    parts: { admitPermit: () => Promise.reject(new Refusal(-32_090, 'no', { reason: 'PERMIT_REFUSED', status: 403 })) },
  });
  const response = await fetch(base, {
    method: 'POST',
    headers: { ...JSON_OF_ALICE, 'a2a-space-permit': 'x' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: message() }),
  });
  assert.equal(response.status, 403);
  assert.deepEqual(asked, []);
});

test('bodies that are none are refused in the words of JSON-RPC', async (t) => {
  const { base } = await openGateway(t, SENT);
  const post = async (body: string, type = 'application/json') => {
    const response = await fetch(base, {
      method: 'POST',
      headers: { authorization: 'Bearer alice', 'content-type': type },
      body,
    });
    return [response.status, ((await response.json()) as { error: { code: number } }).error.code];
  };
  assert.deepEqual(await post('{'), [200, -32_700]);
  assert.deepEqual(await post('[]'), [200, -32_600]);
  assert.deepEqual(await post('{}', 'text/plain'), [415, -32_005]);
  assert.deepEqual(
    await post(`{"jsonrpc":"2.0","id":1,"method":"GetTask","params":${'{"a":'.repeat(70)}1${'}'.repeat(70)}}`),
    [200, -32_600],
  );
  assert.deepEqual(await post('{"jsonrpc":"1.0","id":1,"method":"GetTask","params":{}}'), [200, -32_600]);
  assert.deepEqual(await post('{"jsonrpc":"2.0","method":"GetTask","params":{"id":"t1"}}'), [200, -32_600]);
  assert.deepEqual(await post('{"jsonrpc":"2.0","id":{},"method":"GetTask","params":{}}'), [200, -32_600]);
  assert.deepEqual(await post('{"jsonrpc":"2.0","id":1,"method":"GetTask","params":"x"}'), [200, -32_602]);
  assert.deepEqual(await post('{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{}}'), [200, -32_602]);
  assert.deepEqual(
    await post('{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{}}}'),
    [200, -32_602],
  );
  const large = await fetch(base, {
    method: 'POST',
    headers: JSON_OF_ALICE,
    body: 'x'.repeat(8 * 1_024 * 1_024 + 1),
  });
  assert.equal(large.status, 413);
});

test('the card is published with its tag, to those only who may call', async (t) => {
  const { base } = await openGateway(t, SENT);
  const card = (headers: Record<string, string>) => fetch(`${base}/.well-known/agent-card.json`, { headers });
  assert.equal((await card({})).status, 401);
  assert.equal((await card({ authorization: 'Bearer eve' })).status, 404);
  const shown = await card({ authorization: 'Bearer alice' });
  assert.deepEqual(await shown.json(), { name: 'Echo' });
  assert.equal((await card({ authorization: 'Bearer alice', 'if-none-match': '"1"' })).status, 304);
});
