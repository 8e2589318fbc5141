import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { agentPlace, nodeDoor } from './agent-door.ts';

type Door = ReturnType<typeof nodeDoor> & { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse };

/** The door of one request, which is written as it is. */
async function doorOf(
  t: TestContext,
  request: string,
  stalledMs?: number,
): Promise<Door & { readonly caller: Socket }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const caller = connect((server.address() as AddressInfo).port, '127.0.0.1');
  t.after(() => {
    caller.destroy();
    server.close();
  });
  caller.write(request);
  const [incoming, outgoing] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  return { ...nodeDoor(incoming, outgoing, { path: '', query: '' }, stalledMs), incoming, outgoing, caller };
}

/** Writes until the reader has to be waited for. */
function filled({ write }: Door['reply']): Promise<void> {
  for (let pieces = 0; pieces < 1_000; pieces += 1) {
    const waits = write('x'.repeat(1_024 * 1_024));
    if (waits !== undefined) return waits;
  }
  return assert.fail('sockets take all');
}

test('an address names a Space and an agent, and what is below as it was written', () => {
  for (const [url, place] of [
    ['/spaces/s/agents/a', { space: 's', agent: 'a', path: '', query: '' }],
    ['/spaces/s/agents/a/', { space: 's', agent: 'a', path: '/', query: '' }],
    ['/spaces/s/agents/a/x/%2e%2e/y?q=%20?z', { space: 's', agent: 'a', path: '/x/%2e%2e/y', query: 'q=%20?z' }],
    ['/spaces/%73/agents/%E0%A4', { space: 's', agent: '', path: '', query: '' }],
    ['/spaces/s/agents', undefined],
    ['/spaces//agents/a', undefined],
    ['/x/spaces/s/agents/a', undefined],
    ['http://h/spaces/s/agents/a', undefined],
  ] as const) {
    assert.deepEqual(agentPlace(url), place, url);
  }
});

test('several headers of one name are all told, so that none counts for the others', async (t) => {
  const { request } = await doorOf(t, 'GET / HTTP/1.1\r\nhost: h\r\nauthorization: a\r\nauthorization: b\r\n\r\n');
  assert.deepEqual(
    [request.method, request.header('authorization'), request.header('none')],
    ['GET', 'a, b', undefined],
  );
});

test('a body is read to its limit, whether its length was told or not', async (t) => {
  const told = 'POST / HTTP/1.1\r\nhost: h\r\ncontent-length: 4\r\n\r\nbody';
  const chunked = 'POST / HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n';
  for (const head of [told, chunked]) {
    assert.deepEqual(Buffer.from((await (await doorOf(t, head)).request.body(4)) ?? ''), Buffer.from('body'));
    assert.equal(await (await doorOf(t, head)).request.body(3), undefined);
  }
  const { request, caller } = await doorOf(t, 'POST / HTTP/1.1\r\nhost: h\r\ncontent-length: 9\r\n\r\nbody');
  const reading = request.body(9);
  caller.destroy();
  await assert.rejects(reading);
  assert.ok(request.signal.aborted);
});

test('a writer waits for a reader that is slow, and for none that has left', async (t) => {
  const { reply, request, caller, outgoing } = await doorOf(t, 'GET / HTTP/1.1\r\nhost: h\r\n\r\n');
  assert.equal(reply.begun, false);
  reply.head(200, { 'content-type': 'text/event-stream' });
  assert.equal(reply.begun, true);
  caller.pause();
  const full = filled(reply);
  caller.resume();
  await full;
  caller.pause();
  const left = filled(reply);
  caller.destroy();
  await left;
  if (!outgoing.closed) await once(outgoing, 'close');
  assert.ok(request.signal.aborted);
  await reply.write('more');
});

test('a reader that takes nothing any more is cut off, in a stream and in an answer', async (t) => {
  // More than sockets hold.
  const much = new Uint8Array(64 * 1_024 * 1_024);
  for (const write of [(reply: Door['reply']) => void reply.write(much), (reply: Door['reply']) => reply.end(much)]) {
    const { reply, request, caller, outgoing } = await doorOf(t, 'GET / HTTP/1.1\r\nhost: h\r\n\r\n', 1);
    caller.pause();
    reply.head(200, {});
    write(reply);
    await once(outgoing, 'close');
    assert.ok(request.signal.aborted);
  }
});

test('who reads waits for a quiet agent as long as it takes', async (t) => {
  const { reply, request, caller, outgoing } = await doorOf(t, 'GET / HTTP/1.1\r\nhost: h\r\n\r\n', 60_000);
  reply.head(200, {});
  caller.pause();
  const full = filled(reply);
  caller.resume();
  await full;
  assert.deepEqual([outgoing.socket?.timeout, request.signal.aborted], [0, false]);
});
