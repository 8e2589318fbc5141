import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { certificateFor } from '../../../../../agent/test/certificate.ts';
import { chunk, dropped, http, UpstreamHost } from '../../../../contract/upstream-host.ts';
import { bodyOf, EVENTS, failureOf, get, never } from '../../../../contract/upstream-samples.ts';
import { type InsideOptions, insideUpstreams } from './inside-upstreams.ts';

const HELLO = http('200 OK', { 'content-length': 5 }, 'hello');

async function inside(t: TestContext, options: InsideOptions = {}, tls?: { cert: string; key: string }) {
  const host = await UpstreamHost.start(tls);
  const upstreams = insideUpstreams(options);
  t.after(async () => {
    await upstreams.close();
    await host.stop();
  });
  const origin = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${host.port}`;
  return { host, upstreams, origin, upstream: upstreams.to([origin]) };
}

test('a connection is used again for the next call, and not while a stream holds it', async (t) => {
  const { host, upstream, origin } = await inside(t);
  host.answer(HELLO);
  for (let times = 0; times < 3; times += 1) {
    assert.equal(await bodyOf(await upstream.call(get(origin), never())), 'hello');
    // A whole turn of the event loop, in which an agent may still close it.
    await setImmediate();
    await setImmediate();
  }
  assert.equal(host.connections, 1);
  host.answer(http('200 OK', EVENTS));
  const streams = [await upstream.call(get(origin), never()), await upstream.call(get(origin), never())];
  assert.equal(host.connections, 2);
  for (const stream of streams) stream.cancel();
});

test('an agent is called at its own addresses and nowhere else', async (t) => {
  const { host, upstream, upstreams, origin } = await inside(t);
  host.answer(HELLO);
  const refused = ['A2A_UPSTREAM_ADDRESS_REFUSED', false, false];
  const elsewhere = [
    ...[
      'http://127.0.0.1:1/a',
      `http://localhost:${host.port}/a`,
      origin.replace('http:', 'https:'),
      'file:///etc/passwd',
    ],
    ...['nonsense', `${origin}.example/`, origin.replace('127.0.0.1', '127.0.0.1@10.0.0.1')],
  ];
  for (const url of elsewhere) {
    assert.deepEqual(await failureOf(upstream.call({ ...get(origin), url }, never())), refused, url);
  }
  assert.equal(host.connections, 0);
  const both = upstreams.to(['http://10.0.0.1:9', `${origin}/its/path`]);
  assert.equal(await bodyOf(await both.call(get(origin), never())), 'hello');
});

test('HTTPS is for the certificate that is trusted, whatever the environment says', async (t) => {
  const tls = certificateFor(['127.0.0.1']);
  const { host, upstream, origin } = await inside(t, { ca: tls.cert }, tls);
  host.answer(HELLO);
  assert.equal(await bodyOf(await upstream.call(get(origin), never())), 'hello');
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  t.after(() => delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']);
  const untrusting = insideUpstreams();
  t.after(() => untrusting.close());
  const call = untrusting.to([origin]).call(get(origin), never());
  assert.deepEqual(await failureOf(call), ['A2A_UPSTREAM_TLS_FAILED', false, false]);
  assert.equal(host.visits.length, 1);
});

test('a connection that does not become one in its time has certainly carried nothing', async (t) => {
  // Plain text, where a handshake is expected: it takes the connection and says nothing.
  const { host, upstreams } = await inside(t, { limits: { connectMs: 50 } });
  const origin = `https://127.0.0.1:${host.port}`;
  const failed = ['A2A_UPSTREAM_CONNECT_FAILED', false, true];
  assert.deepEqual(await failureOf(upstreams.to([origin]).call(get(origin), never())), failed);
  const slow = insideUpstreams({ limits: { headersMs: 50 } });
  t.after(() => slow.close());
  assert.deepEqual(await failureOf(slow.to([origin]).call(get(origin), never())), failed);
});

test('a request that cannot be written is refused without its value', async (t) => {
  const { host, upstream, origin } = await inside(t);
  const call = upstream.call({ ...get(origin), headers: { authorization: 'hush\r\nx: y' } }, never());
  await assert.rejects(call, (error) => !/hush/.test(String(error)));
  assert.deepEqual(await failureOf(call), ['A2A_UPSTREAM_REQUEST_REFUSED', false, false]);
  assert.equal(host.connections, 0);
});

test('at the end of the gateway what is under way is lost', async (t) => {
  const { host, upstream, upstreams, origin } = await inside(t);
  const visited = host.visited();
  const call = upstream.call(get(origin), never());
  const visit = await visited;
  await visit.write(http('200 OK', EVENTS) + chunk('x'));
  const read = failureOf(bodyOf(await call));
  await upstreams.close();
  assert.deepEqual(await read, ['A2A_UPSTREAM_CONNECTION_LOST', true, true]);
  await dropped(visit);
});
