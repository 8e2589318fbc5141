import assert from 'node:assert/strict';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { closed, farHost, http, PUBLIC_ADDRESS, refusal } from '../../test/far-host.ts';
import { EgressRefused } from './egress-refused.ts';
import { guardedTransport } from './guarded-transport.ts';

const PUBLIC = { route: 'public', enabled: true } as const;
const URL = 'https://agent.example/a2a';
const GET = { method: 'GET', url: URL };
const STREAM = { 'content-type': 'text/event-stream' };

test('C175 a call keeps the rules of guardedFetch: judged, looked up once, connected to what was found', async (t) => {
  const answers = [[PUBLIC_ADDRESS], ['127.0.0.1'], [PUBLIC_ADDRESS, '10.0.0.1']];
  const host = await farHost(t, {
    response: http('200 OK', { 'content-length': '5', 'x-two': 'a' }, 'hello'),
    answers,
  });
  const transport = guardedTransport(PUBLIC, { ...host.access, credentials: () => ({ Authorization: 'Bearer s' }) });
  const body = Buffer.from('{"a":1}');
  const {
    status,
    headers,
    body: answered,
  } = await transport.call({ ...GET, method: 'POST', headers: { a: 'b' }, body });
  assert.deepEqual([status, headers['x-two'], await text(answered)], [200, 'a', 'hello']);
  assert.match(
    host.visits[0]?.request ?? '',
    /^POST \/a2a HTTP\/1\.1\r\na: b\r\nauthorization: Bearer s\r\n.*\{"a":1\}$/s,
  );
  assert.equal(await refusal(transport.call(GET)), 'A2A_EGRESS_ADDRESS_REFUSED loopback');
  assert.equal(await refusal(transport.check(URL)), 'A2A_EGRESS_ADDRESS_REFUSED private');
  assert.equal(await refusal(transport.call({ ...GET, url: 'file:///etc/passwd' })), 'A2A_EGRESS_SCHEME_REFUSED');
  assert.equal(await refusal(guardedTransport(undefined).call(GET)), 'A2A_EGRESS_TRANSPORT_REQUIRED');
  assert.equal(host.dialled.length, 1);
});

test('a body is there as it comes, and errors with what ended it', async (t) => {
  const host = await farHost(t);
  const open = async (signal?: AbortSignal) => {
    const visited = host.visited();
    const call = guardedTransport(PUBLIC, { ...host.access, limits: { eventStreamBytes: 20 } }).call(
      signal === undefined ? GET : { ...GET, signal },
    );
    const { socket } = await visited;
    socket.write(http('200 OK', STREAM, 'data: 1\n\n'));
    const { body } = await call;
    assert.equal(String((await once(body, 'data'))[0]), 'data: 1\n\n');
    return { body, socket };
  };
  const large = await open();
  large.socket.write('x'.repeat(12));
  assert.equal(await refusal(once(large.body, 'end')), 'A2A_EGRESS_RESPONSE_TOO_LARGE over 20 bytes');

  const abort = new AbortController();
  const calledOff = await open(abort.signal);
  abort.abort(new Error('stopped'));
  await assert.rejects(once(calledOff.body, 'end'), /stopped/);

  const left = await open();
  left.body.destroy();
  for (const { socket } of [large, calledOff, left]) await closed(socket);
});

test('a body that nobody listens to may break without a word', async (t) => {
  const host = await farHost(t, { response: http('200 OK', { 'content-length': '10' }, 'abc') });
  const { body } = await guardedTransport(PUBLIC, host.access).call(GET);
  body.resume();
  if (!body.closed) await new Promise((over) => body.once('close', over));
  assert.equal(body.readableEnded, false);
});

test('a response that is refused for its head says its status', async (t) => {
  for (const [response, code, status] of [
    [http('307 Temporary', { location: '/a2a/' }), 'A2A_EGRESS_REDIRECT_REFUSED', 307],
    [http('401 Unauthorized', { 'content-encoding': 'gzip' }), 'A2A_EGRESS_ENCODING_REFUSED', 401],
  ] as const) {
    const host = await farHost(t, { response });
    const error = await guardedTransport(PUBLIC, host.access)
      .call(GET)
      .catch((thrown: unknown) => thrown);
    assert.ok(error instanceof EgressRefused);
    assert.deepEqual([error.code, error.status, error.message], [code, status, `${code}: ${error.text}`]);
  }
});

test('a header that cannot be sent is told without its value, and nothing is dialled', async (t) => {
  const host = await farHost(t);
  const transport = guardedTransport(PUBLIC, {
    ...host.access,
    credentials: () => ({ authorization: 'hush\r\nx: y' }),
  });
  await assert.rejects(transport.call(GET), (error) => error instanceof TypeError && !/hush/.test(String(error)));
  assert.deepEqual(host.dialled, []);
});

test('the route vpc asks its dialer for admitted hosts only, and judges before it reads a credential', async (t) => {
  const host = await farHost(t, { response: http('200 OK', { 'content-length': '0' }), names: ['agent.inside'] });
  const { dial = assert.fail(), ca = assert.fail() } = host.access;
  const asked: string[] = [];
  const admits = ({ hostname, port }: { hostname: string; port: number }) =>
    `${hostname}:${port}` === 'agent.inside:443';
  const credentials = ({ host: to }: { host: string }) => ({ authorization: `Bearer ${asked.push(to)}` });
  const transport = guardedTransport({ route: 'vpc', dial, admits }, { ca, credentials });
  assert.equal(await refusal(transport.call({ ...GET, url: 'https://other.inside/' })), 'A2A_VPC_EGRESS_HOST_REFUSED');
  assert.equal(await refusal(transport.check('https://10.0.0.1/')), 'A2A_VPC_EGRESS_HOST_REFUSED');
  assert.deepEqual([asked, host.dialled], [[], []]);
  assert.equal((await transport.call({ ...GET, url: 'https://Agent.Inside./' })).status, 200);
  assert.deepEqual(asked, ['agent.inside.']);
});
