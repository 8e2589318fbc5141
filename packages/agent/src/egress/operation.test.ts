import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { closed, farHost, http, PUBLIC_ADDRESS, refusal } from '../../test/far-host.ts';
import type { Dial } from './egress-policy.ts';
import type { GuardedFetchOptions } from './guarded-call.ts';
import { guardedFetch } from './guarded-fetch.ts';

const PUBLIC = { route: 'public', enabled: true } as const;
const URL = 'https://agent.example/';

/** A call that the other side has got, in a time that the test drives. */
async function underWay(t: TestContext, limits: GuardedFetchOptions['limits'] = {}) {
  const host = await farHost(t);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const visited = host.visited();
  const call = guardedFetch(PUBLIC, { ...host.access, limits })(URL);
  call.catch(() => undefined);
  const { socket } = await visited;
  return { call, socket, tick: (ms: number) => t.mock.timers.tick(ms) };
}

/** Its reader, once the headers and a first byte are there. */
async function streaming(t: TestContext, limits?: GuardedFetchOptions['limits']) {
  const { call, socket, tick } = await underWay(t, limits);
  socket.write(http('200 OK', { 'content-type': 'text/event-stream' }, ':'));
  const reader = (await call).body?.getReader() ?? assert.fail('no body');
  await reader.read();
  return { socket, tick, reader };
}

test('a lookup that hangs ends in its time', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const hangs = () => new Promise<string[]>(() => undefined);
  const fetch = guardedFetch(PUBLIC, { resolve: hangs });
  const refused = [refusal(fetch(URL)), refusal(fetch.check(URL))];
  t.mock.timers.tick(5_000);
  const expected = 'A2A_EGRESS_DNS_FAILED timeout';
  assert.deepEqual(await Promise.all(refused), [expected, expected]);
});

test('a connection that hangs ends in its time, and one that comes too late is dropped', async (t) => {
  const host = await farHost(t);
  const { dial = assert.fail(), ...access } = host.access;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const dialled = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<Awaited<ReturnType<Dial>>>();
  const late: Dial = async (to, signal) => {
    dialled.resolve();
    await goOn.promise;
    const socket = await dial(to, signal);
    opened.resolve(socket);
    return socket;
  };
  const refused = refusal(guardedFetch(PUBLIC, { ...access, dial: late })(URL));
  await dialled.promise;
  t.mock.timers.tick(10_000);
  assert.equal(await refused, 'A2A_EGRESS_CONNECT_FAILED timeout');
  goOn.resolve();
  const socket = await opened.promise;
  await closed(socket);
  assert.deepEqual(host.visits, []);
});

test('headers that drip do not lengthen their time', async (t) => {
  const { call, socket, tick } = await underWay(t);
  socket.write('HTTP/1.1 200 OK\r\n');
  for (let second = 0; second < 29; second += 1) {
    await new Promise((written) => socket.write(`x-${second}: 1\r\n`, written));
    tick(1_000);
  }
  const dropped = closed(socket);
  tick(999);
  assert.equal(socket.destroyed, false);
  tick(1);
  assert.equal(await refusal(call), 'A2A_EGRESS_HEADERS_TIMEOUT timeout');
  await dropped;
});

test('a stream that is quiet and long lives: each byte begins its time anew, and nothing else limits it', async (t) => {
  const { socket, tick, reader } = await streaming(t);
  for (let times = 0; times < 1_000; times += 1) {
    tick(299_999);
    socket.write(':');
    assert.equal((await reader.read()).value?.length, 1);
  }
  const ended = refusal(reader.read());
  tick(300_000);
  assert.equal(await ended, 'A2A_EGRESS_IDLE_TIMEOUT timeout');
  await closed(socket);
});

test('a stream may be as quiet as its caller allows, for ever included', async (t) => {
  const { socket, tick, reader } = await streaming(t, { idleMs: Number.POSITIVE_INFINITY });
  tick(86_400_000);
  socket.write('x');
  assert.equal((await reader.read()).value?.length, 1);
  await reader.cancel();
});

test('a total time is kept when one is asked for, however busy the stream', async (t) => {
  const { socket, tick, reader } = await streaming(t, { totalMs: 10_000 });
  for (let second = 0; second < 9; second += 1) {
    tick(1_000);
    socket.write('x');
    await reader.read();
  }
  const ended = refusal(reader.read());
  tick(1_000);
  assert.equal(await ended, 'A2A_EGRESS_TOTAL_TIMEOUT timeout');
});

test('a response that nobody reads is dropped after the idle time', async (t) => {
  const { call, socket, tick } = await underWay(t);
  socket.write(http('200 OK', { 'content-type': 'text/event-stream' }, 'data: 1\n\n'));
  await call;
  const dropped = closed(socket);
  tick(300_000);
  await dropped;
});

test('credentials may take their time, and a caller who calls off is heard meanwhile', async () => {
  const abort = new AbortController();
  const asked = Promise.withResolvers<void>();
  const credentials = () => {
    asked.resolve();
    return new Promise<Record<string, string>>(() => undefined);
  };
  const call = guardedFetch(PUBLIC, { resolve: async () => [PUBLIC_ADDRESS], credentials })(URL, abort);
  await asked.promise;
  abort.abort(new Error('stopped'));
  await assert.rejects(call, /stopped/);
});
