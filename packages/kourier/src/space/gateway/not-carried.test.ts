import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { JSON_OF_ALICE, message, TASK } from './fixtures/asked.ts';
import { type GatewayChoices, openGateway } from './fixtures/open-gateway.ts';

type Headers = Readonly<Record<string, string>>;

interface Info {
  readonly reason: string;
  readonly metadata?: { readonly supportedVersions?: string };
}

/** Of either binding. */
interface Answered {
  readonly error?: { readonly code: number; readonly data?: readonly Info[]; readonly details?: readonly Info[] };
}

/** Alice's calls in both bindings, of an agent that answers everything with a task. */
async function calls(t: TestContext, choices: GatewayChoices = {}) {
  const { base, asked } = await openGateway(
    t,
    (_request, response, body) => {
      const { id = 1 } = body === '' ? {} : JSON.parse(body);
      const answer = { jsonrpc: '2.0', id, result: { task: TASK }, task: TASK };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    },
    choices,
  );
  const post = async (path: string, body: object, headers: Headers) => {
    const init = { method: 'POST', headers: { ...JSON_OF_ALICE, ...headers }, body: JSON.stringify(body) };
    const { error } = (await (await fetch(base + path, init)).json()) as Answered;
    return error === undefined ? undefined : { code: error.code, info: (error.data ?? error.details)?.[0] };
  };
  return {
    asked,
    rpc: (method: string, params: unknown, { query = '', ...headers }: Headers = {}) =>
      post(query, { jsonrpc: '2.0', id: 1, method, params }, headers),
    rest: (path: string, body: object, { query = '', ...headers }: Headers = {}) =>
      post(`/a2a/v1${path}${query}`, body, headers),
  };
}

const version = (named: string): Headers => ({ 'a2a-version': named });

test('C139 C140 a version that nobody speaks is refused over both bindings, with those that the agent speaks there', async (t) => {
  const { rpc, rest, asked } = await calls(t);
  for (const headers of [
    ...['99.0', '1.1', '0.2', '0.30', 'v1.0', '1.0-rc', '1.0, 0.3', 'x'].map(version),
    { query: '?A2A-Version=99.0' },
  ])
    for (const refused of [
      await rpc('SendMessage', message(), headers),
      await rpc('message/send', message(), headers),
      await rpc('NoSuchMethod', {}, headers),
      await rest('/message:send', message(), headers),
    ])
      assert.deepEqual(
        [refused?.info?.reason, refused?.info?.metadata?.supportedVersions],
        ['VERSION_NOT_SUPPORTED', '1.0'],
        JSON.stringify(headers),
      );
  assert.equal((await rpc('SendMessage', message(), version('99.0')))?.code, -32_009);
  assert.deepEqual(asked, []);
  for (const headers of [...['1.0', '1.0.1', ' 1 ', '01.0'].map(version), { query: '?A2A-Version=1.0' }]) {
    assert.equal(await rpc('SendMessage', message(), headers), undefined, JSON.stringify(headers));
    assert.equal(await rest('/message:send', message(), headers), undefined, JSON.stringify(headers));
  }
});

test('a method of one version is none in the other, and tells the version where none is named', async (t) => {
  const { rpc, asked } = await calls(t, { versions: ['1.0', '0.3'] });
  assert.equal((await rpc('SendMessage', message(), version('0.3')))?.code, -32_601);
  assert.equal((await rpc('message/send', message(), version('1.0')))?.code, -32_601);
  assert.deepEqual(asked, []);
  for (const headers of [{}, version('0.3.0')]) assert.equal(await rpc('message/send', message(), headers), undefined);
  assert.equal(await rpc('SendMessage', message()), undefined);
});

test('what the gateway never carries is refused as that, whatever else is wrong with it', async (t) => {
  const { rpc, rest, asked } = await calls(t, { versions: ['1.0', '0.3'] });
  for (const params of [{ task_id: 't1' }, { taskId: 't1', tenant: 'x' }, { message: { ID: 1 } }, {}, 'none'])
    for (const [method, code] of [
      ['CreateTaskPushNotificationConfig', -32_003],
      ['GetTaskPushNotificationConfig', -32_003],
      ['ListTaskPushNotificationConfigs', -32_003],
      ['DeleteTaskPushNotificationConfig', -32_003],
      ['tasks/pushNotificationConfig/set', -32_003],
      ['tasks/pushNotificationConfig/list', -32_003],
      ['GetExtendedAgentCard', -32_007],
      ['agent/getAuthenticatedExtendedCard', -32_007],
    ] as const)
      assert.equal((await rpc(method, params))?.code, code, `${method} ${JSON.stringify(params)}`);
  for (const body of [{ taskId: 'other' }, { task_id: 't1' }, { tenant: 'x' }, {}]) {
    const refused = await rest('/tasks/t1/pushNotificationConfigs', body, version('1.0'));
    assert.equal(refused?.info?.reason, 'PUSH_NOTIFICATION_NOT_SUPPORTED', JSON.stringify(body));
  }
  assert.deepEqual(asked, []);
});

test('what is missing of a request beside its id is told first, and a notification of 0.3 or 1.0 is never carried', async (t) => {
  const { base, asked } = await openGateway(t, (_request, response) => response.end(), { versions: ['1.0', '0.3'] });
  const codeOf = async (request: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...request });
    const response = await fetch(base, { method: 'POST', headers: JSON_OF_ALICE, body });
    return ((await response.json()) as { error: { code: number } }).error.code;
  };
  assert.equal(await codeOf({ method: 'message/ssend', params: {} }), -32_601);
  assert.equal(await codeOf({ method: 'message/send', params: { '': 'none' } }), -32_602);
  assert.equal(await codeOf({ method: 'SendMessage', params: 'none' }), -32_602);
  const old = { message: { kind: 'message', messageId: 'm1', role: 'user', parts: [{ kind: 'text', text: 'hi' }] } };
  assert.equal(await codeOf({ method: 'message/send', params: old }), -32_600);
  assert.equal(await codeOf({ method: 'SendMessage', params: message() }), -32_600);
  assert.equal(await codeOf({ method: 'SendMessage', params: message(), id: {} }), -32_600);
  assert.deepEqual(asked, []);
});

test('a client of 0.3 that asked for a stream is refused in one, since it reads nothing else', async (t) => {
  let reason: string | undefined;
  const { base, asked } = await openGateway(t, (_request, response) => response.end(), {
    versions: ['1.0', '0.3'],
    parts: { blockedReason: () => reason },
  });
  const ask = async (method: string, params: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });
    const response = await fetch(base, { method: 'POST', headers: JSON_OF_ALICE, body });
    return [response.headers.get('content-type'), await response.text()] as const;
  };
  const refused = { jsonrpc: '2.0', id: 7, error: { code: -32_001 } };
  for (const method of ['tasks/resubscribe', 'message/stream']) {
    const params = { id: 'none', message: { messageId: 'm1', taskId: 'none' } };
    const [type, text] = await ask(method, params);
    assert.equal(type, 'text/event-stream', method);
    assert.match(text, /^data: .*\n\n$/);
    const { id, jsonrpc, error } = JSON.parse(text.slice('data: '.length));
    assert.deepEqual({ jsonrpc, id, error: { code: error.code } }, refused);
  }
  assert.equal((await ask('message/stream', {}))[0], 'text/event-stream');
  // Whatever asked for no stream, or speaks 1.0, or is told by the status of HTTP, has JSON.
  assert.equal((await ask('tasks/get', { id: 'none' }))[0], 'application/json');
  assert.equal((await ask('SubscribeToTask', { id: 'none' }))[0], 'application/json');
  reason = 'disabled';
  assert.equal((await ask('message/stream', { message: { messageId: 'm1' } }))[0], 'application/json');
  assert.deepEqual(asked, []);
});
