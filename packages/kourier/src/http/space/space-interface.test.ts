import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { card10 } from '../../space/fixtures/cards.ts';
import { SPACE_LIMITS } from '../../space/limits.ts';
import { openSpace, problemOf } from './fixtures/open-space.ts';

const CARD = card10('https://a.example/rpc');

/** What a server answers to bytes as they are, to the end of the connection. */
async function raw(url: string, request: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
  socket.write(request);
  let text = '';
  socket.on('data', (piece) => {
    text += piece;
  });
  await once(socket, 'close');
  return text;
}

test('what is for everybody: health, metrics, keys, the document', async (t) => {
  let notReady = ['starting'];
  const { url } = await openSpace(t, { ready: () => notReady });
  const get = async (path: string) => {
    const response = await fetch(url + path);
    return [response.status, await response.text()] as const;
  };
  assert.deepEqual(await get('/healthz'), [200, '{"status":"ok"}']);
  assert.deepEqual(await get('/readyz'), [503, '{"ready":false,"notReady":["starting"],"problems":[]}']);
  notReady = [];
  assert.equal((await get('/readyz'))[0], 200);
  assert.deepEqual(await get('/metrics'), [200, 'metrics 1\n']);
  const [, keys] = await get('/.well-known/jwks.json');
  const [key] = JSON.parse(keys).keys;
  assert.deepEqual([key.kty, key.kid, key.d], ['OKP', 'k', undefined]);
  const document = JSON.parse((await get('/api/v1/openapi.json'))[1]);
  assert.ok(document.paths['/api/v1/spaces/{space}/agents/{agent}/revisions/{number}/approve'].post);
  assert.equal((await get('/none'))[0], 404);
});

test('a Space of another tenant, and one that is not there, look the same', async (t) => {
  const { call, url } = await openSpace(t);
  await call('POST', '/agents', { body: { card: CARD } });
  for (const [method, path] of [
    ['GET', '/agents'],
    ['GET', '/agents/echo'],
    ['DELETE', '/agents/echo'],
    ['POST', '/agents'],
    ['GET', '/agents/echo/revisions'],
    ['GET', '/agents/echo/revisions/1'],
    ['POST', '/agents/echo/revisions/1/approve'],
    ['POST', '/route'],
    ['POST', '/calls'],
    ['GET', '/tasks'],
    ['GET', '/tasks/task-1'],
    ['POST', '/tasks/task-1/operations'],
    ['GET', '/outbox'],
    ['POST', '/outbox/1/replay'],
  ] as const) {
    const foreign = await call(method, path, { key: 'eve' });
    const absent = await call(method, path, { space: 'none' });
    assert.deepEqual([foreign.status, foreign.json], [absent.status, absent.json], path);
    assert.deepEqual(problemOf(foreign), [404, 'not-found'], path);
    const nobody = await call(method, path, { key: 'mallory' });
    assert.deepEqual(problemOf(nobody), [401, 'unauthenticated'], path);
    assert.equal(nobody.headers.get('www-authenticate'), 'Bearer');
    const unknown = await call(method, path, { key: 'unknown' });
    assert.deepEqual(
      [...problemOf(unknown), unknown.headers.get('retry-after')],
      [503, 'authentication-unavailable', '5'],
    );
  }
  for (const space of ['%ZZ', '%2e%2e', '%00', '*', '__proto__'])
    assert.deepEqual(problemOf(await call('GET', '/agents', { space })), [404, 'not-found'], space);
  const spaces = async (key: string) => {
    const response = await fetch(`${url}/api/v1/spaces`, { headers: { authorization: `Bearer ${key}` } });
    return (await response.json()) as object;
  };
  assert.deepEqual(await spaces('eve'), { spaces: [] });
  assert.deepEqual(await spaces('carl'), {
    spaces: ['demo', 'second'].map((spaceId) => ({ spaceId, tenant: 'acme', role: 'caller', publicEgress: true })),
  });
});

test('a method that does not fit is told what does, but not to nobody', async (t) => {
  const { call } = await openSpace(t);
  const wrong = await call('PUT', '/agents');
  assert.deepEqual([...problemOf(wrong), wrong.headers.get('allow')], [405, 'method-not-allowed', 'GET, HEAD, POST']);
  assert.deepEqual(problemOf(await call('PUT', '/agents', { key: 'mallory' })), [401, 'unauthenticated']);
  assert.equal((await call('HEAD', '/agents')).status, 200);
});

test('bodies that are none, are too large, too deep, or of another kind', async (t) => {
  const { url } = await openSpace(t);
  const post = async (body: string | Uint8Array, type = 'application/json', path = '/calls') => {
    const headers = { authorization: 'Bearer olga', ...(type === '' ? {} : { 'content-type': type }) };
    const response = await fetch(`${url}/api/v1/spaces/demo${path}`, { method: 'POST', headers, body: body as string });
    return [response.status, ((await response.json()) as { code: string }).code];
  };
  const deep = SPACE_LIMITS.jsonDepth + 1;
  for (const body of [
    '',
    '{',
    'nothing',
    `${'['.repeat(deep)}${']'.repeat(deep)}`,
    '['.repeat(1_000_000),
    Uint8Array.of(0x22, 0xff, 0x22),
  ])
    assert.deepEqual(await post(body), [400, 'malformed-request'], String(body).slice(0, 9));
  assert.deepEqual(
    await post(`{"id":"a","card":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`, 'application/json', '/agents'),
    [400, 'malformed-request'],
  );
  for (const body of ['null', '[]', '7', '{}', '{"__proto__":{"agentId":"a"}}'])
    assert.deepEqual(await post(body), [422, 'invalid-request'], body);
  for (const type of ['', 'text/plain', 'application/jsonx', 'multipart/form-data'])
    assert.deepEqual(await post('{}', type), [415, 'unsupported-media-type'], type);
  assert.deepEqual(await post(' '.repeat(SPACE_LIMITS.requestBytes + 1)), [413, 'body-too-large']);
  assert.deepEqual(await post('{}', 'Application/JSON; charset=utf-8', '/route'), [200, undefined]);
});

test('a failure of ours is logged by its route, and told without a word of it', async (t) => {
  const { call, failed } = await openSpace(t, {
    store: (store) => ({ ...store, tasks: () => Promise.reject(new RangeError('secret')) }),
  });
  const answered = await call('GET', '/tasks');
  assert.deepEqual(problemOf(answered), [500, 'internal-error']);
  assert.doesNotMatch(JSON.stringify(answered.json), /secret/);
  const why = 'RangeError: secret';
  assert.deepEqual(failed, [{ event: 'request-failed', method: 'GET', route: '/api/v1/spaces/:space/tasks', why }]);
});

test('no web page calls, and in local mode no other name of this machine', async (t) => {
  let isLocal = false;
  const { url, did } = await openSpace(t, { local: () => isLocal });
  const ask = async (path: string, ...headers: string[]) => {
    const answered = await raw(url, [`GET ${path} HTTP/1.1`, 'connection: close', ...headers, '', ''].join('\r\n'));
    return [answered.split(' ')[1], /"code":"([^"]*)"/.exec(answered)?.[1]];
  };
  const agent = '/spaces/demo/agents/echo';
  for (const path of ['/healthz', agent]) {
    assert.deepEqual(await ask(path, 'host: localhost', 'origin: http://localhost'), ['403', 'origin-refused']);
    assert.equal((await ask(path, 'host: rebound.example'))[0], path === agent ? '299' : '200');
    isLocal = true;
    assert.deepEqual(await ask(path, 'host: rebound.example'), ['403', 'host-refused']);
    isLocal = false;
  }
  assert.deepEqual(did, ['gateway demo/echo']);
});

test('calls of agents go to the gateway, whatever their path holds', async (t) => {
  const { url, did } = await openSpace(t);
  for (const path of ['/spaces/demo/agents/echo', '/spaces/de%6do/agents/echo/x?y', '/spaces/%ZZ/agents/%00/a'])
    assert.match(await raw(url, `GET ${path} HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n`), /^HTTP\/1.1 299 /);
  assert.deepEqual(did, ['gateway demo/echo', 'gateway demo/echo', 'gateway /\0']);
});

test('an agent of the reach tunnel dials out, when who dials may', async (t) => {
  const { url, call, did } = await openSpace(t);
  for (const [id, reach] of [
    ['far', 'tunnel'],
    ['near', 'public'],
  ] as const)
    await call('POST', '/agents', { body: { id, card: CARD, reach } });
  const dial = async (path: string, key: string, more = '') => {
    const headers = `host: h\r\nauthorization: Bearer ${key}\r\nconnection: upgrade\r\nupgrade: websocket\r\n${more}`;
    const answered = await raw(url, `GET ${path} HTTP/1.1\r\n${headers}\r\n`);
    return `${answered.split(' ')[1]} ${/x-problem: (.*)\r/.exec(answered)?.[1] ?? ''}`;
  };
  const tunnel = '/api/v1/spaces/demo/agents/far/tunnel';
  assert.equal(await dial(tunnel, 'paul'), '101 ');
  assert.equal(await dial(tunnel, 'carl'), '403 forbidden');
  assert.equal(await dial(tunnel, 'eve'), '404 not-found');
  assert.equal(await dial(tunnel, 'mallory'), '401 unauthenticated');
  assert.equal(await dial(tunnel, 'unknown'), '503 authentication-unavailable');
  assert.equal(await dial(tunnel, 'paul', 'origin: http://evil.example\r\n'), '403 origin-refused');
  for (const path of [
    tunnel.replace('far', 'near'),
    tunnel.replace('far', 'none'),
    tunnel.replace('demo', 'none'),
    '/x',
  ])
    assert.equal(await dial(path, 'paul'), '404 not-found', path);
  assert.deepEqual(did, ['tunnel demo/far']);
});

test('who is refused a tunnel holds no connection, whether it hangs up or not', async (t) => {
  const { url } = await openSpace(t);
  for (const path of ['/x', '/api/v1/spaces/demo/agents/none/tunnel']) {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
    const lost = once(socket, 'error');
    socket.write(`GET ${path} HTTP/1.1\r\nhost: h\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`);
    await once(socket.resume(), 'end');
    const more = (): void => void socket.write('still here', (error) => error ?? setImmediate(more));
    more();
    await lost;
  }
});

// A server of Node that cannot be asked which offers to take up takes up all of them: 22.19 and 22.20.
const OFFERS = { skip: !('shouldUpgradeCallback' in createServer()) && 'this Node takes up every offer' };

test('who would rather speak HTTP/2, as the clients of Java do at first, is answered', OFFERS, async (t) => {
  const { url } = await openSpace(t);
  const offer = 'connection: close, Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAEAAEAA';
  for (const [path, status] of [
    ['/spaces/demo/agents/echo', '299'],
    ['/api/v1/spaces/demo/route', '401'],
  ] as const) {
    const head = `POST ${path} HTTP/1.1\r\nhost: h\r\n${offer}\r\ncontent-type: application/json\r\ncontent-length: 2`;
    assert.equal((await raw(url, `${head}\r\n\r\n{}`)).split(' ')[1], status);
  }
});
