import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { closed, farHost, http, refusal } from '../../test/far-host.ts';
import { boundedBody, webBody } from './bounded-body.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { Operation } from './operation.ts';

const PUBLIC = { route: 'public', enabled: true } as const;
const URL = 'https://agent.example/';
const STREAM = { 'content-type': 'text/event-stream' };
const LOST = 'A2A_EGRESS_CONNECTION_LOST';

test('a body that says it is too large is refused before it is read', async (t) => {
  const host = await farHost(t);
  const visited = host.visited();
  const call = guardedFetch(PUBLIC, host.access)(URL);
  const { socket } = await visited;
  socket.write(http('200 OK', { 'content-length': '8388609' }));
  assert.equal(await refusal(call), 'A2A_EGRESS_RESPONSE_TOO_LARGE over 8388608 bytes');
  await closed(socket);
});

test('a body that does not say so is refused at the limit, and what is sent after it goes nowhere', async (t) => {
  const host = await farHost(t);
  const visited = host.visited();
  const call = guardedFetch(PUBLIC, { ...host.access, limits: { responseBytes: 100_000 } })(URL);
  const { socket } = await visited;
  socket.write(http('200 OK', { 'transfer-encoding': 'chunked' }));
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  const pour = () => void socket.write(chunk, (error) => error ?? pour());
  pour();
  const response = await call;
  assert.equal(await refusal(response.text()), 'A2A_EGRESS_RESPONSE_TOO_LARGE over 100000 bytes');
  await closed(socket);
});

test('an event stream has a limit of its own', async (t) => {
  const limits = { responseBytes: 5, eventStreamBytes: 20 };
  const small = await farHost(t, { response: http('200 OK', STREAM, 'data: 7890\n\n') });
  assert.equal(await (await guardedFetch(PUBLIC, { ...small.access, limits })(URL)).text(), 'data: 7890\n\n');
  const large = await farHost(t, { response: http('200 OK', STREAM, `data: ${'7'.repeat(20)}\n\n`) });
  const response = await guardedFetch(PUBLIC, { ...large.access, limits })(URL);
  assert.equal(await refusal(response.text()), 'A2A_EGRESS_RESPONSE_TOO_LARGE over 20 bytes');
});

test('a body streams: each piece is there before the next is written', async (t) => {
  const host = await farHost(t);
  const visited = host.visited();
  const call = guardedFetch(PUBLIC, host.access)(URL);
  const { socket } = await visited;
  socket.write(http('200 OK', STREAM));
  const reader = (await call).body?.getReader() ?? assert.fail('no body');
  for (const piece of ['data: 1\n\n', ':\n', 'data: 2\n\n']) {
    socket.write(piece);
    assert.equal(String(Buffer.from((await reader.read()).value ?? [])), piece);
  }
  socket.end();
  assert.equal((await reader.read()).done, true);
});

test('what is compressed is refused, so nothing can be blown up', async (t) => {
  const bomb = gzipSync(Buffer.alloc(1_000_000)).toString('latin1');
  for (const encoding of ['gzip', 'identity, br', 'x-unknown']) {
    const host = await farHost(t, { response: http('200 OK', { 'content-encoding': encoding }, bomb) });
    assert.equal(await refusal(guardedFetch(PUBLIC, host.access)(URL)), 'A2A_EGRESS_ENCODING_REFUSED');
  }
  const plain = await farHost(t, { response: http('200 OK', { 'content-encoding': 'Identity' }, 'as it is') });
  assert.equal(await (await guardedFetch(PUBLIC, plain.access)(URL)).text(), 'as it is');
});

test('headers without end, and what is no HTTP, are refused', async (t) => {
  const cases: [string, string][] = [
    [http('200 OK', { 'x-large': 'x'.repeat(40_000) }), 'A2A_EGRESS_RESPONSE_TOO_LARGE HPE_HEADER_OVERFLOW'],
    ['SSH-2.0-OpenSSH_9.2\r\n', 'A2A_EGRESS_RESPONSE_REFUSED HPE_INVALID_CONSTANT'],
    [http('200 OK', { 'content-length': '-1' }), 'A2A_EGRESS_RESPONSE_REFUSED HPE_INVALID_CONTENT_LENGTH'],
    [http('200 OK', { 'content-length': '1', 'transfer-encoding': 'chunked' }), 'A2A_EGRESS_RESPONSE_REFUSED'],
    [http('999 Strange'), 'A2A_EGRESS_RESPONSE_REFUSED status 999'],
    [http('101 Switching Protocols', { upgrade: 'x', connection: 'upgrade' }), LOST],
    ['', LOST],
  ];
  for (const [response, expected] of cases) {
    const host = await farHost(t, { response });
    const found = await refusal(guardedFetch(PUBLIC, host.access)(URL));
    assert.ok(found.startsWith(expected), `${found}, not ${expected}`);
  }
});

test('a body that ends early is an error, and never looks whole', async (t) => {
  const early = [
    http('200 OK', { 'content-length': '10' }, 'abc'),
    http('200 OK', { 'transfer-encoding': 'chunked' }, '3\r\nabc\r\n'),
    http('200 OK', { 'transfer-encoding': 'chunked' }, '3\r\nabc\r\nzz\r\n'),
  ];
  for (const response of early) {
    const host = await farHost(t, { response });
    const answer = await guardedFetch(PUBLIC, host.access)(URL);
    assert.match(await refusal(answer.text()), /^A2A_EGRESS_CONNECTION_LOST/);
  }
});

test('who cancels a body, or calls the operation off, drops the connection', async (t) => {
  const host = await farHost(t);
  const fetch = guardedFetch(PUBLIC, host.access);
  const open = async (signal?: AbortSignal) => {
    const visited = host.visited();
    const call = fetch(URL, signal === undefined ? {} : { signal });
    const { socket } = await visited;
    socket.write(http('200 OK', STREAM, 'data: 1\n\n'));
    const response = await call;
    return { dropped: closed(socket), reader: response.body?.getReader() ?? assert.fail('no body') };
  };
  const cancelled = await open();
  await cancelled.reader.cancel();
  await cancelled.dropped;

  const reason = new Error('stopped');
  const abort = new AbortController();
  const calledOff = await open(abort.signal);
  abort.abort(reason);
  await assert.rejects(calledOff.reader.closed, reason);
  await calledOff.dropped;

  await assert.rejects(fetch(URL, { signal: abort.signal }), reason);
  assert.equal(host.looked.length, 2);
});

test('a body that nobody reads waits in the connection, not in memory', async () => {
  let taken = 0;
  const long = new Readable({
    read() {
      taken += 16_384;
      this.push(taken < 2_000_000 ? Buffer.alloc(16_384) : null);
    },
  });
  const operation = new Operation(undefined, undefined);
  const body = boundedBody(long, operation, { maxBytes: 1_000_000, idleMs: 60_000 });
  const reader = webBody(body, operation).getReader();
  await reader.read();
  for (let turn = 0; turn < 500; turn += 1) await setImmediate();
  assert.equal(operation.signal.aborted, false);
  assert.ok(taken < 300_000, `${taken} bytes were taken`);
  await reader.cancel();
  long.destroy();
});
