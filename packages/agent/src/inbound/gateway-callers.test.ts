import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  assertRefused,
  CARD,
  gatewayWorld,
  HEADERS,
  MESSAGE,
  messages,
  type RawAnswer,
  TARGET,
  TestGateway,
} from '../../test/gateway.ts';
import { textOf } from '../../test/served-agent.ts';
import { type GatewayCallersOptions, gatewayCallers } from './gateway-callers.ts';

describe('a call that the gateway carries', () => {
  test('A5 gets its answer in both bindings of both versions, and the card; the turn knows its caller', async (t) => {
    const { gateway, asked, turns } = await gatewayWorld(t);
    for (const [name, { carried, headers }] of Object.entries(messages('hello'))) {
      const { status, text } = await asked(carried, gateway.token(carried), headers);
      assert.equal(status, 200, name);
      assert.match(text, /acme\/north\/user\/ada/, name);
    }
    assert.deepEqual(new Set(turns), new Set(['acme/north/user/ada']));
    const card = await asked(CARD, gateway.token(CARD));
    assert.deepEqual([card.status, JSON.parse(card.text).name], [200, 'Test']);
    assert.equal(card.headers['cache-control'], 'private, max-age=300', 'no cache on the way may hand it to others');
    const carried = { method: 'GET', path: '/a2a/v1/tasks?pageSize=1&A2A-Version=1.0' };
    assert.equal((await asked(carried, gateway.token(carried))).status, 200, 'a query is a part of what is signed');
    const { body = '' } = messages('stream')['HTTP+JSON 1.0']?.carried ?? {};
    const streamed = { method: 'POST', path: '/a2a/v1/message:stream', body };
    const stream = await asked(streamed, gateway.token(streamed), HEADERS);
    assert.deepEqual([stream.status, stream.headers['content-type']], [200, 'text/event-stream']);
    assert.match(stream.text, /acme\/north\/user\/ada/);
    assert.deepEqual(gateway.refused, []);
  });

  test('A5 an empty tenant is the empty tenant', async (t) => {
    const { gateway, asked, turns } = await gatewayWorld(t, { tenant: '' });
    assert.equal((await asked(MESSAGE, gateway.token(MESSAGE, { tenant: '' }), HEADERS)).status, 200);
    assert.deepEqual(turns, ['acme//user/ada']);
    assertRefused(await asked(MESSAGE, gateway.token(MESSAGE, { tenant: 'north' }), HEADERS), 'another tenant');
    const strict = await gatewayWorld(t);
    assertRefused(await strict.asked(MESSAGE, strict.gateway.token(MESSAGE, { tenant: '' }), HEADERS), 'no tenant');
  });

  test('a caller is a caller of its account, tenant and kind, however it is called', async (t) => {
    const { gateway, asked, turns } = await gatewayWorld(t, { account: 'a/b', tenant: 'c%2Fd' });
    const names = { account: 'a/b', tenant: 'c%2Fd', kind: 'runtime', callerRuntime: 'r', sub: 'x/user/y' } as const;
    assert.equal((await asked(MESSAGE, gateway.token(MESSAGE, names), HEADERS)).status, 200);
    assert.deepEqual(turns, ['a%2Fb/c%252Fd/runtime/x/user/y']);
  });
});

test('A5 a tenant of the request is no identity: it changes neither the caller nor whose tasks these are', async (t) => {
  const { gateway, asked, turns } = await gatewayWorld(t);
  const rpc = (method: string, params: object, caller: object = {}): Promise<RawAnswer> => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: { tenant: 'acme/north/user/ada', ...params },
    });
    const carried = { method: 'POST', path: '/a2a/jsonrpc', body };
    return asked(carried, gateway.token(carried, caller), HEADERS);
  };
  const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }], metadata: { user_id: 'eve' } };
  const { task } = JSON.parse((await rpc('SendMessage', { message }, { sub: 'bob' })).text).result;
  assert.deepEqual([turns, textOf(task)], [['acme/north/user/bob'], 'acme/north/user/bob']);
  const of = async (caller: object) => {
    const { result, error } = JSON.parse((await rpc('GetTask', { id: task.id }, caller)).text);
    return error?.code ?? result.id;
  };
  assert.equal(await of({ sub: 'bob' }), task.id);
  for (const other of [
    { sub: 'ada' },
    { sub: 'bob', kind: 'service' },
    { sub: 'bob', kind: 'runtime', callerRuntime: 'r' },
  ])
    assert.equal(await of(other), -32001, JSON.stringify(other));
});

test('what is lacking in the options is named when they are given', () => {
  const gateway = new TestGateway();
  const options = { issuer: 'https://gateway.example', ...TARGET, keys: { keys: [gateway.jwk] } };
  assert.doesNotThrow(() => gatewayCallers(options));
  const { keys, ...keyless } = options;
  const wrong: readonly [object, RegExp][] = [
    ...Object.keys({ issuer: '', ...TARGET }).map((name): [object, RegExp] => [
      { ...options, [name]: undefined },
      new RegExp(`^TypeError: ${name} must be a text`),
    ]),
    [{ ...options, account: '' }, /account must be a text/],
    [{ ...options, registration: 7 }, /registration must be a text/],
    [keyless, /keys or keysUrl/],
    [{ ...options, keysUrl: 'https://gateway.example/.well-known/jwks.json' }, /keys or keysUrl/],
    [{ ...options, keys: { keys: [] } }, /no keys/],
    [{ ...keyless, keysUrl: 'http://gateway.example/jwks.json' }, /must be https/],
    [{ ...keyless, keysUrl: 'jwks.json' }, /must be https/],
  ];
  for (const [given, why] of wrong) assert.throws(() => gatewayCallers(given as GatewayCallersOptions), why);
});
