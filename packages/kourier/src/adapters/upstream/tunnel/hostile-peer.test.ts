import assert from 'node:assert/strict';
import { constants, createServer, type ServerHttp2Stream } from 'node:http2';
import { type TestContext, test } from 'node:test';
import { createWebSocketStream, WebSocket } from 'ws';
import { type Upstream, UpstreamFailed } from '../../../ports/space/upstream.ts';
import { dial, get, KEY, NEVER, post, StagedGateway, stagedAgent, textOf } from './fixtures/tunnel-stage.ts';
import { TUNNEL_LIMITS } from './limits.ts';
import { TUNNEL_PROTOCOL } from './tunnel-wire.ts';

const failed =
  (code: string, sent = true) =>
  (error: unknown) => {
    assert.ok(error instanceof UpstreamFailed, String(error));
    assert.deepEqual({ code: error.code, sent: error.sent }, { code, sent });
    return true;
  };

/** A publisher's end that keeps to no rules, connected. */
async function peer(
  t: TestContext,
  answer: (stream: ServerHttp2Stream, path: string) => unknown,
): Promise<{ gateway: StagedGateway; upstream: Upstream; socket: WebSocket }> {
  const gateway = await StagedGateway.start(t);
  const socket = new WebSocket(
    `${gateway.url.href.replace('http', 'ws')}api/v1/spaces/s/agents/a/tunnel`,
    TUNNEL_PROTOCOL,
    {
      headers: { authorization: `Bearer ${KEY}` },
    },
  );
  socket.on('error', () => undefined);
  t.after(() => socket.terminate());
  // Before it is open: what the gateway says first comes with the upgrade.
  const duplex = createWebSocketStream(socket);
  const server = createServer({ maxSendHeaderBlockLength: 16_777_216 });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    answer(stream, headers[':path'] ?? '');
  });
  server.on('sessionError', () => undefined);
  server.on('session', (session) => socket.prependOnceListener('close', () => session.destroy()));
  duplex.on('error', () => undefined);
  server.emit('connection', duplex);
  await gateway.changes.until((changes) => changes.includes('a+'));
  return { gateway, upstream: gateway.upstream(), socket };
}

/** A frame of HTTP/2 (RFC 9113, section 4.1). */
function frame(type: number, flags: number, streamId: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.byteLength, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(streamId, 5);
  return Buffer.concat([head, payload]);
}

test('headers that are too large, or too many, are no answer; the next call is its own', async (t) => {
  const { upstream } = await peer(t, (stream, path) => {
    if (path === '/large') stream.respond({ 'x-large': 'x'.repeat(TUNNEL_LIMITS.headerBytes) });
    else if (path === '/huge') stream.respond({ 'x-large': 'x'.repeat(8_000_000) });
    else if (path === '/many')
      stream.respond(
        Object.fromEntries(Array.from({ length: TUNNEL_LIMITS.headers }, (_, index) => [`x-${index}`, '1'])),
      );
    else stream.respond({ 'x-fits': 'x'.repeat(30_000) });
    stream.end();
  });
  for (const path of ['/large', '/many']) {
    await assert.rejects(upstream.call(get(path), NEVER), failed('A2A_TUNNEL_RESPONSE_TOO_LARGE'), path);
    assert.equal((await upstream.call(get('/'), NEVER)).header('x-fits')?.length, 30_000);
  }
  await assert.rejects(upstream.call(get('/huge'), NEVER), UpstreamFailed);
});

test('trailers are not taken for headers', async (t) => {
  const { upstream } = await peer(t, (stream) => {
    stream.respond({ ':status': 200 }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'x-late': 'x'.repeat(1_000) }));
    stream.end('body');
  });
  const answer = await upstream.call(get('/'), NEVER);
  assert.equal(await textOf(answer), 'body');
  assert.equal(answer.header('x-late'), undefined);
});

test('a flood of interim answers is no answer', async (t) => {
  const { upstream } = await peer(t, (stream, path) => {
    const most = path === '/flood' ? 10_000 : TUNNEL_LIMITS.interimAnswers;
    for (let count = 0; count < most && !stream.destroyed; count += 1) stream.additionalHeaders({ ':status': 103 });
    if (path !== '/flood') stream.respond({ ':status': 200 }, { endStream: true });
  });
  assert.equal((await upstream.call(get('/'), NEVER)).status, 200);
  await assert.rejects(upstream.call(get('/flood'), NEVER), failed('A2A_TUNNEL_RESPONSE_REFUSED'));
});

test('a status that is none is no answer', async (t) => {
  const { upstream, socket } = await peer(t, ({ id = 0 }, path) => {
    const status = Buffer.from(path.slice(1));
    // Literal, its name at 8 of the static table (RFC 7541, appendix A). Node itself refuses to write such a status.
    socket.send(frame(1, 5, id, Buffer.concat([Buffer.from([0x08, status.byteLength]), status])));
  });
  for (const status of ['600', '999', '000', '1e2', '20', 'abc'])
    await assert.rejects(upstream.call(get(`/${status}`), NEVER), failed('A2A_TUNNEL_RESPONSE_REFUSED'), status);
});

test('a refusal after an answer is none', async (t) => {
  const { upstream } = await peer(t, (stream, path) => {
    if (path === '/after') stream.respond({ ':status': 200 });
    if (path === '/after') stream.write('x', () => rst(stream));
    else rst(stream);
  });
  const rst = (stream: ServerHttp2Stream): void => stream.close(constants.NGHTTP2_REFUSED_STREAM);
  await assert.rejects(upstream.call(get('/before'), NEVER), failed('A2A_TUNNEL_CONNECT_FAILED', false));
  const answer = await upstream.call(get('/after'), NEVER);
  assert.equal(answer.status, 200);
});

test('an answer that is called off by its own end never looks whole', async (t) => {
  let id = 0;
  const { upstream, socket } = await peer(t, (stream) => {
    id = stream.id ?? 0;
    stream.respond({ ':status': 200 });
    stream.write('part');
  });
  const answer = await upstream.call(get('/'), NEVER);
  // While its reader waits for more.
  const reading = answer.read(() => socket.send(frame(3, 0, id, Buffer.from([0, 0, 0, constants.NGHTTP2_CANCEL]))));
  await assert.rejects(reading, failed('A2A_TUNNEL_CONNECTION_LOST'));
});

test('one that never answers holds its call, until the caller leaves', async (t) => {
  const { gateway, upstream } = await peer(t, () => undefined);
  const abort = new AbortController();
  const call = upstream.call(post('/', 'x'), abort.signal);
  const reason = new Error('the deadline has passed');
  abort.abort(reason);
  await assert.rejects(call, reason);
  assert.equal(gateway.tunnels.isConnected('s', 'a'), true);
});

test('one that never reads cannot make a call grow', async (t) => {
  const { upstream, socket } = await peer(t, () => undefined);
  socket.pause();
  const abort = new AbortController();
  const calls = Array.from({ length: TUNNEL_LIMITS.callsAtOnce }, () =>
    upstream.call(post('/', Buffer.alloc(1_048_576)), abort.signal),
  );
  await assert.rejects(upstream.call(get('/'), NEVER), failed('A2A_TUNNEL_BUSY', false));
  abort.abort(new Error('left'));
  for (const call of calls) await assert.rejects(call, /left/);
});

for (const [what, harm] of [
  ['bytes that are no HTTP/2', (socket: WebSocket) => socket.send(Buffer.alloc(100, 'x'))],
  ['text', (socket: WebSocket) => socket.send('GET / HTTP/1.1\r\n\r\n')],
  ['a message over the limit', (socket: WebSocket) => socket.send(Buffer.alloc(TUNNEL_LIMITS.frameBytes + 1))],
  [
    'a push of what nobody asked for',
    (socket: WebSocket) => socket.send(frame(5, 4, 1, Buffer.from([0, 0, 0, 2, 0x88]))),
  ],
  ['data of a stream that nobody opened', (socket: WebSocket) => socket.send(frame(0, 0, 99, Buffer.from('x')))],
  [
    'a window that overflows',
    (socket: WebSocket) =>
      socket.send(
        Buffer.concat([
          frame(8, 0, 0, Buffer.from([0x7f, 0xff, 0xff, 0xff])),
          frame(8, 0, 0, Buffer.from([0x7f, 0xff, 0xff, 0xff])),
        ]),
      ),
  ],
  ['a broken WebSocket', (socket: WebSocket) => Reflect.get(socket, '_socket').write(Buffer.alloc(64, 0xff))],
] as const) {
  test(`${what} ends the tunnel, its calls, and nothing else`, async (t) => {
    const { gateway, upstream, socket } = await peer(t, (stream) => stream.respond({ ':status': 200 }));
    const answer = await upstream.call(get('/'), NEVER);
    const reading = textOf(answer);
    harm(socket);
    await assert.rejects(reading, (error) => error instanceof UpstreamFailed && error.sent);
    await gateway.changes.until((changes) => changes.includes('a-'));
  });
}

test('a flood of what has to be answered, by one that reads no answers, costs it its tunnel and the others nothing', async (t) => {
  const { gateway, socket } = await peer(t, () => undefined);
  const to = await stagedAgent(t, (_request, response) => response.end('here'));
  dial(t, gateway, to, { agent: 'b' });
  await gateway.changes.until((changes) => changes.includes('b+'));
  const pings = Buffer.concat(Array.from({ length: 10_000 }, () => frame(6, 0, 0, Buffer.alloc(8))));
  socket.pause();
  for (let round = 0; round < 100; round += 1) socket.send(pings);
  await gateway.changes.until((changes) => changes.includes('a-'));
  assert.equal(await textOf(await gateway.upstream('b').call(get('/'), NEVER)), 'here');
});
