import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openInterface } from './fixtures/open-interface.ts';

test('health, readiness and metrics', async (t) => {
  const { call, state, answers } = await openInterface(t);
  assert.deepEqual((await call('GET', '/healthz')).body, { status: 'ok' });
  assert.equal((await call('HEAD', '/healthz')).status, 200);
  const ready = await call('GET', '/readyz');
  assert.deepEqual([ready.status, ready.body], [200, { ready: true, notReady: [], problems: [] }]);
  state.notReady.push('store');
  const unready = await call('GET', '/readyz');
  assert.deepEqual([unready.status, unready.body.notReady], [503, ['store']]);
  answers.fits('Readiness', unready.body);
  const metrics = await call('GET', '/metrics');
  assert.deepEqual([metrics.status, metrics.text], [200, 'up 1\n']);
  assert.match(metrics.headers.get('content-type') ?? '', /^text\/plain/);
});

test('a refused configuration is reported on /readyz, which stays ready with the last good one', async (t) => {
  const { call, state } = await openInterface(t);
  state.problems.push('a.yaml:3: unknown key; remove it');
  const { status, body } = await call('GET', '/readyz');
  assert.deepEqual([status, body.problems], [200, ['a.yaml:3: unknown key; remove it']]);
});

test('bindings, with the agent as far as its card is known', async (t) => {
  const { call } = await openInterface(t);
  const { status, body } = await call('GET', '/api/v1/bindings');
  assert.equal(status, 200);
  const agent = { name: 'Agent', description: 'Answers', version: '1', protocolVersion: '1.0' };
  assert.deepEqual(body.bindings, [
    { name: 'ops', backend: 'research', platform: 'web', agent },
    { name: 'chat', backend: 'research', platform: 'slack', agent: null },
  ]);
});

test('an unknown path is 404, another method 405 with Allow', async (t) => {
  const { call, url } = await openInterface(t);
  for (const path of ['/api', '/api/v1', '/nothing', '/api/v1/bindings/', '/%zz', '/../etc/passwd', '/constructor']) {
    const response = await fetch(url + path);
    assert.equal(response.status, 404, path);
    assert.equal(response.headers.get('content-type'), 'application/problem+json');
    assert.match(await response.text(), /"code":"not-found"/);
  }
  for (const [method, path, allow] of [
    ['DELETE', '/api/v1/threads/t', 'GET, HEAD'],
    ['GET', '/api/v1/threads', 'POST'],
    ['GET', '/hooks/alertmanager/ops', 'POST'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['OPTIONS', '/api/v1/threads', 'POST'],
  ] as const) {
    const { status, body, headers } = await call(method, path);
    assert.deepEqual([status, body.code, headers.get('allow')], [405, 'method-not-allowed', allow]);
  }
});

test('the OpenAPI document is 3.1, resolves its references and describes every call', async (t) => {
  const { call } = await openInterface(t);
  const { body } = await call('GET', '/api/v1/openapi.json');
  assert.equal(body.openapi, '3.1.0');
  assert.deepEqual(Object.keys(body.paths).sort(), [
    '/api/v1/audit',
    '/api/v1/bindings',
    '/api/v1/openapi.json',
    '/api/v1/requests/{id}/answer',
    '/api/v1/threads',
    '/api/v1/threads/{id}',
    '/api/v1/threads/{id}/events',
    '/api/v1/threads/{id}/messages',
    '/api/v1/threads/{id}/stop',
    '/healthz',
    '/hooks/alertmanager/{binding}',
    '/hooks/generic/{binding}',
    '/metrics',
    '/readyz',
  ]);
  for (const [, name] of JSON.stringify(body).matchAll(/#\/components\/schemas\/(\w+)/g)) {
    assert.ok(name && body.components.schemas[name], `${name} is referred to and missing`);
  }
});

test('a request that nobody opened is not found', async (t) => {
  const { call, answers } = await openInterface(t);
  const { status, body } = await call('POST', '/api/v1/requests/r/answer', { answers: [['yes']] });
  assert.deepEqual([status, body.code], [404, 'request-not-found']);
  assert.ok(answers.documents('POST', '/api/v1/requests/r/answer', 404));
});

test('an error of ours is 500, logged by its name and route, without what was said', async (t) => {
  const { call, courier, logged } = await openInterface(t);
  courier.fault = new TypeError('store is gone');
  const { status, body, text } = await call('POST', '/api/v1/threads', { binding: 'ops', text: 'the secret' });
  assert.deepEqual([status, body.code], [500, 'internal-error']);
  assert.doesNotMatch(text, /secret|gone/);
  assert.deepEqual(logged, [
    { event: 'request-failed', method: 'POST', route: '/api/v1/threads', why: 'TypeError: store is gone' },
  ]);
});

test('local mode listens on loopback only', async (t) => {
  const { offered } = await openInterface(t);
  for (const host of ['0.0.0.0', '::', '192.168.1.1', 'example.org', '']) {
    await assert.rejects(offered.listen({ host, port: 0 }), /loopback only/, host);
  }
});

test('a port that is taken rejects', async (t) => {
  const { offered, url } = await openInterface(t);
  await assert.rejects(offered.listen({ host: '127.0.0.1', port: Number(new URL(url).port) }), { code: 'EADDRINUSE' });
});

test('closing ends the event streams, is bounded, and twice is once', async (t) => {
  const { call, events, listening, offered, url } = await openInterface(t);
  const { body } = await call('POST', '/api/v1/threads', { binding: 'ops', text: 'hi' });
  const reader = await events(body.thread);
  await reader.until(({ event }) => event === 'status');
  const closing = listening.close();
  assert.equal(listening.close(), closing);
  await Promise.all([closing, reader.ended]);
  assert.equal(offered.openStreams(), 0);
  await assert.rejects(fetch(`${url}/healthz`));
});
