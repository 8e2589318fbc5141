import assert from 'node:assert/strict';
import { test } from 'node:test';
import { farHost, http, PUBLIC_ADDRESS, refusal } from '../../test/far-host.ts';
import { EgressRefused } from './egress-refused.ts';
import { guardedFetch } from './guarded-fetch.ts';

const PUBLIC = { route: 'public', enabled: true } as const;
const HELLO = http('200 OK', { 'content-type': 'text/plain', 'content-length': '5' }, 'hello');

test('C175 a call is looked up once, goes to the address that was found, and keeps the name for TLS and Host', async (t) => {
  const host = await farHost(t, { response: HELLO });
  const fetch = guardedFetch(PUBLIC, host.access);
  const response = await fetch('https://agent.example/a2a?x=1#here', { method: 'POST', body: '{"a":1}' });
  assert.deepEqual([response.status, await response.text()], [200, 'hello']);
  assert.equal(response.headers.get('content-type'), 'text/plain');
  assert.deepEqual(host.looked, ['agent.example']);
  assert.deepEqual(host.dialled, [{ hostname: 'agent.example', port: 443, addresses: [PUBLIC_ADDRESS] }]);
  const [{ request, socket } = assert.fail('not visited')] = host.visits;
  assert.match(request, /^POST \/a2a\?x=1 HTTP\/1\.1\r\n/);
  assert.match(request, /\r\nhost: agent\.example\r\n/);
  assert.match(request, /\r\ncontent-length: 7\r\n.*\r\n\{"a":1\}$/s);
  assert.equal(socket.servername, 'agent.example');
});

test('C175 a name that leads elsewhere the second time is refused then, and never dialled', async (t) => {
  const host = await farHost(t, { response: HELLO, answers: [[PUBLIC_ADDRESS], ['127.0.0.1'], ['169.254.169.254']] });
  const fetch = guardedFetch(PUBLIC, host.access);
  assert.equal(await (await fetch('https://agent.example/')).text(), 'hello');
  assert.equal(await refusal(fetch('https://agent.example/')), 'A2A_EGRESS_ADDRESS_REFUSED loopback');
  assert.equal(await refusal(fetch('https://agent.example/')), 'A2A_EGRESS_ADDRESS_REFUSED link-local');
  assert.equal(host.dialled.length, 1);
});

test('C175 one address that is not public refuses them all', async (t) => {
  const answers = [
    [PUBLIC_ADDRESS, '10.0.0.1'],
    ['fd00::1', PUBLIC_ADDRESS],
    [PUBLIC_ADDRESS, '::ffff:127.0.0.1'],
    ['2606:4700::1', '64:ff9b::a9fe:a9fe'],
    ['fe80::1%eth0'],
    ['nonsense'],
    [],
  ];
  const host = await farHost(t, { answers });
  const fetch = guardedFetch(PUBLIC, host.access);
  const refused: string[] = [];
  for (const _ of answers) refused.push(await refusal(fetch('https://agent.example/')));
  assert.deepEqual(refused, [
    'A2A_EGRESS_ADDRESS_REFUSED private',
    'A2A_EGRESS_ADDRESS_REFUSED private',
    'A2A_EGRESS_ADDRESS_REFUSED loopback',
    'A2A_EGRESS_ADDRESS_REFUSED link-local',
    'A2A_EGRESS_ADDRESS_REFUSED zone',
    'A2A_EGRESS_ADDRESS_REFUSED not-an-address',
    'A2A_EGRESS_DNS_FAILED no address',
  ]);
  assert.deepEqual(host.dialled, []);
});

test('international names and trailing dots are one spelling for lookup, TLS and Host', async (t) => {
  const host = await farHost(t, { response: HELLO, names: ['xn--bcher-kva.example', 'agent.example'] });
  const fetch = guardedFetch(PUBLIC, host.access);
  for (const url of ['https://BÜCHER.example/', 'https://Agent.Example.:443/', 'https://ａｇｅｎｔ.example']) {
    assert.equal(await (await fetch(url)).text(), 'hello', url);
  }
  assert.deepEqual(host.looked, ['xn--bcher-kva.example', 'agent.example', 'agent.example']);
  assert.deepEqual(
    host.visits.map(({ socket }) => socket.servername),
    host.looked,
  );
  assert.deepEqual(
    host.visits.map(({ request }) => /^host: (.*)$/m.exec(request)?.[1]),
    host.looked,
  );
});

test('A4 no credential is read for a call that is refused; for one that is not, after the lookup and before the dial', async (t) => {
  const order: string[] = [];
  const host = await farHost(t, { response: HELLO, answers: [['10.0.0.1'], [PUBLIC_ADDRESS]] });
  const access = {
    ...host.access,
    credentials: (url: URL) => {
      order.push(`credentials for ${url.host} after ${host.looked.length} lookups and ${host.dialled.length} dials`);
      return { authorization: 'Bearer s3cret' };
    },
  };
  const refused = [
    guardedFetch(undefined, access)('https://agent.example/'),
    guardedFetch({ route: 'public', enabled: false }, access)('https://agent.example/'),
    guardedFetch({ route: 'vpc' }, access)('https://agent.example/'),
    guardedFetch(PUBLIC, access)('http://agent.example/'),
    guardedFetch(PUBLIC, access)('https://agent.example/'),
  ];
  assert.deepEqual(await Promise.all(refused.map(refusal)), [
    'A2A_EGRESS_TRANSPORT_REQUIRED',
    'A2A_PUBLIC_EGRESS_DISABLED',
    'A2A_VPC_EGRESS_DIALER_REQUIRED',
    'A2A_EGRESS_SCHEME_REFUSED',
    'A2A_EGRESS_ADDRESS_REFUSED private',
  ]);
  assert.deepEqual(order, []);
  const fetch = guardedFetch(PUBLIC, access);
  assert.equal(await (await fetch('https://agent.example/')).text(), 'hello');
  assert.deepEqual(order, ['credentials for agent.example after 2 lookups and 0 dials']);
  assert.match(host.visits[0]?.request ?? '', /\r\nauthorization: Bearer s3cret\r\n/);
  const twice = fetch('https://agent.example/', { headers: { Authorization: 'Bearer other' } });
  assert.equal(await refusal(twice), 'A2A_CREDENTIAL_INJECTION_CONFLICT authorization');
  assert.equal(host.visits.length, 1);
});

test('C113, C118 a redirect is refused wherever it points, and its target is told to the log alone', async (t) => {
  const location = 'http://169.254.169.254/latest/meta-data?key=1';
  for (const status of ['301 Moved', '302 Found', '303 See Other', '307 Temporary', '308 Permanent', '300 Choices']) {
    const host = await farHost(t, { response: http(status, { location, 'content-length': '0' }) });
    const error = await guardedFetch(PUBLIC, host.access)('https://agent.example/').catch((thrown: unknown) => thrown);
    assert.ok(error instanceof EgressRefused);
    assert.equal(error.code, 'A2A_EGRESS_REDIRECT_REFUSED');
    assert.equal(error.detail, 'http://169.254.169.254/latest/meta-data');
    assert.doesNotMatch(error.message, /169/);
    assert.equal(error.sent, true);
    assert.deepEqual([host.looked.length, host.dialled.length, host.visits.length], [1, 1, 1]);
  }
  const slash = await farHost(t, { response: http('307 Temporary', { location: '/agent/' }) });
  const redirected = guardedFetch(PUBLIC, slash.access)('https://agent.example/agent', { redirect: 'follow' });
  assert.equal(await refusal(redirected), 'A2A_EGRESS_REDIRECT_REFUSED /agent/');
});

test('a response that is not changed is no redirect', async (t) => {
  const host = await farHost(t, { response: http('304 Not Modified', { etag: '"1"' }) });
  const response = await guardedFetch(PUBLIC, host.access)('https://agent.example/');
  assert.deepEqual([response.status, response.headers.get('etag'), response.body], [304, '"1"', null]);
});

test('what a caller says of the connection, its length or an encoding is not sent', async (t) => {
  const host = await farHost(t, { response: HELLO });
  const headers = {
    ...{ host: 'metadata.internal', connection: 'keep-alive, x-own', 'accept-encoding': 'gzip', 'x-own': '1' },
    ...{ te: 'trailers', expect: '100-continue', upgrade: 'websocket', 'transfer-encoding': 'chunked' },
    ...{ 'proxy-authorization': 'Basic x', 'content-length': '5' },
  };
  const response = await guardedFetch(PUBLIC, host.access)('https://agent.example/', { headers });
  await response.text();
  const [, ...lines] = (host.visits[0]?.request ?? '').trimEnd().split('\r\n');
  assert.deepEqual(lines.sort(), ['accept-encoding: identity', 'connection: close', 'host: agent.example', 'x-own: 1']);
});

test('C118 a webhook is checked when it is made, without a call', async (t) => {
  const host = await farHost(t, { answers: [[PUBLIC_ADDRESS], ['10.0.0.1']] });
  const { check } = guardedFetch(PUBLIC, host.access);
  assert.equal(await check('https://agent.example/hook'), undefined);
  assert.equal(await refusal(check('https://agent.example/hook')), 'A2A_EGRESS_ADDRESS_REFUSED private');
  assert.equal(await refusal(check('https://169.254.169.254/')), 'A2A_EGRESS_ADDRESS_REFUSED link-local');
  assert.deepEqual(host.dialled, []);
});

test('the route vpc goes through its dialer alone, which gets the name, and TLS stays on this side', async (t) => {
  const host = await farHost(t, { response: HELLO, names: ['agent.internal', '10.0.0.7'] });
  const { dial = assert.fail(), ca = assert.fail() } = host.access;
  const fetch = guardedFetch({ route: 'vpc', dial }, { ca, resolve: () => assert.fail('looked up') });
  for (const name of ['agent.internal', '10.0.0.7']) assert.equal((await fetch(`https://${name}/`)).status, 200);
  assert.deepEqual(host.dialled, [
    { hostname: 'agent.internal', port: 443, addresses: [] },
    { hostname: '10.0.0.7', port: 443, addresses: [] },
  ]);
  assert.equal(await refusal(fetch('http://agent.internal/')), 'A2A_EGRESS_SCHEME_REFUSED');
});
