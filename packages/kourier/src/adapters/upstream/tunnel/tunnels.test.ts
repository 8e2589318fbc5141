import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { ownPort } from '../../../../../agent/test/own-port.ts';
import { ManualClock } from '../../../../test/manual-clock.ts';
import { UpstreamFailed } from '../../../ports/space/upstream.ts';
import { DialOutRefused } from './dial-out.ts';
import { SilentLine } from './fixtures/silent-line.ts';
import { dial, get, Heard, KEY, NEVER, StagedGateway, stagedAgent, textOf, tunnelTo } from './fixtures/tunnel-stage.ts';
import { TUNNEL_LIMITS } from './limits.ts';
import { redialWaitMs } from './redial-wait.ts';
import { TUNNEL_PROTOCOL } from './tunnel-wire.ts';

const failed = (code: string, sent: boolean) => (error: unknown) => {
  assert.ok(error instanceof UpstreamFailed, String(error));
  assert.deepEqual({ code: error.code, sent: error.sent, retryable: error.retryable }, { code, sent, retryable: true });
  return true;
};
const refused = (words: RegExp) => (error: unknown) => error instanceof DialOutRefused && words.test(error.message);
const isWaiting = ({ state }: { readonly state: string }): boolean => state === 'waiting';
const isConnected = ({ state }: { readonly state: string }): boolean => state === 'connected';

/** Agents that hold what they are asked, until the test answers. */
async function holding(t: Parameters<typeof stagedAgent>[0]): Promise<{ url: URL; asked: Heard<ServerResponse> }> {
  const asked = new Heard<ServerResponse>();
  const url = await stagedAgent(t, (_request, response) => {
    response.write('begun ');
    asked.add(response);
  });
  return { url, asked };
}

test('an agent without a tunnel was not asked', async (t) => {
  const gateway = await StagedGateway.start(t);
  assert.equal(gateway.tunnels.isConnected('s', 'a'), false);
  await assert.rejects(gateway.upstream().call(get('/'), NEVER), failed('A2A_TUNNEL_NOT_CONNECTED', false));
});

test('an agent is connected from its first tunnel to the end of its last', async (t) => {
  const { gateway, dialled } = await tunnelTo(t, (_request, response) => response.end());
  assert.equal(gateway.tunnels.isConnected('s', 'a'), true);
  assert.equal(gateway.tunnels.isConnected('s', 'b'), false);
  assert.equal(gateway.tunnels.isConnected('other', 'a'), false);
  await dialled.stop();
  await gateway.changes.until((changes) => changes.length === 2);
  assert.deepEqual(gateway.changes.items, ['a+', 'a-']);
  assert.equal(gateway.tunnels.isConnected('s', 'a'), false);
});

test('of two ends the newer gets the calls; what runs through the older ends well, and it does not dial again', async (t) => {
  const gateway = await StagedGateway.start(t);
  const [older, newer] = [await holding(t), await holding(t)];
  const first = dial(t, gateway, older.url);
  await gateway.changes.until((changes) => changes.includes('a+'));
  const running = await gateway.upstream().call(get('/'), NEVER);
  const second = dial(t, gateway, newer.url);
  await second.states.until((states) => states.some(isConnected));
  const next = await gateway.upstream().call(get('/'), NEVER);
  assert.deepEqual([older.asked.items.length, newer.asked.items.length], [1, 1]);
  for (const response of [...older.asked.items, ...newer.asked.items]) response.end('done');
  assert.equal(await textOf(running), 'begun done');
  assert.equal(await textOf(next), 'begun done');
  await assert.rejects(first.ended, refused(/^another end dialled in for s\/a and took over/));
  assert.deepEqual(gateway.changes.items, ['a+'], 'nobody was told that it was gone');
});

test('an older end without calls is told, too', async (t) => {
  const { gateway, dialled, to } = await tunnelTo(t, (_request, response) => response.end('here'));
  dial(t, gateway, to);
  await assert.rejects(dialled.ended, refused(/took over/));
  assert.equal(await textOf(await gateway.upstream().call(get('/'), NEVER)), 'here');
});

test('an end that stops takes no new calls, and is over when those that run have ended', async (t) => {
  const gateway = await StagedGateway.start(t);
  const { url, asked } = await holding(t);
  const dialled = dial(t, gateway, url);
  await gateway.changes.until((changes) => changes.includes('a+'));
  const running = await gateway.upstream().call(get('/'), NEVER);
  const stopped = dialled.stop();
  await gateway.changes.until((changes) => changes.includes('a-'));
  await assert.rejects(gateway.upstream().call(get('/'), NEVER), failed('A2A_TUNNEL_NOT_CONNECTED', false));
  asked.items[0]?.end('done');
  assert.equal(await textOf(running), 'begun done');
  await stopped;
  assert.equal(asked.items.length, 1);
});

test('a tunnel that breaks under a call may have brought it to the agent, and the end dials again', async (t) => {
  const { url, asked } = await holding(t);
  const gateway = await StagedGateway.start(t);
  const clock = new ManualClock(0);
  const dialled = dial(t, gateway, url, { clock });
  await gateway.changes.until((changes) => changes.includes('a+'));
  const begun = await gateway.upstream().call(get('/'), NEVER);
  const reading = textOf(begun);
  gateway.cutAll();
  await assert.rejects(reading, failed('A2A_TUNNEL_LOST', true));
  await dialled.states.until((states) => states.some(isWaiting));
  await gateway.changes.until((changes) => changes.includes('a-'));
  clock.pass(TUNNEL_LIMITS.redialFirstMs);
  await gateway.changes.until((changes) => changes.length === 3);
  const again = textOf(await gateway.upstream().call(get('/'), NEVER));
  asked.items.at(-1)?.end('done');
  assert.equal(await again, 'begun done');
});

test('a gateway that is killed is dialled until it is back, at growing distances', async (t) => {
  const port = await ownPort();
  const { gateway, to } = { gateway: await StagedGateway.start(t, { port }), to: new URL('http://127.0.0.1:1') };
  const clock = new ManualClock(0);
  const dialled = dial(t, gateway, to, { clock, chance: () => 0.5 });
  await dialled.states.until((states) => states.some(isConnected));
  await gateway.kill();
  for (let round = 1; round <= 3; round += 1) {
    await dialled.states.until((states) => states.filter(isWaiting).length === round);
    if (round === 3) await StagedGateway.start(t, { port });
    clock.pass(redialWaitMs(round, 0.5));
  }
  await dialled.states.until((states) => states.filter(isConnected).length === 2);
  const waits = dialled.states.items.flatMap((state) => (state.state === 'waiting' ? [state.retryInMs] : []));
  assert.deepEqual(waits, [375, 750, 1_500]);
});

test('the wait doubles to its longest, half of it by chance', () => {
  assert.deepEqual(
    [1, 2, 3].map((failures) => redialWaitMs(failures, 0)),
    [250, 500, 1_000],
  );
  assert.equal(redialWaitMs(1_000_000, 0), TUNNEL_LIMITS.redialLongestMs / 2);
  assert.ok(redialWaitMs(1_000_000, 0.999_999) <= TUNNEL_LIMITS.redialLongestMs);
});

for (const [what, options, words] of [
  ['401', { key: 'wrong' }, /^the Space answered 401: the key is not valid; make another/],
  ['403', { key: 'of-a-caller' }, /^the Space answered 403: the key may not publish this agent/],
  ['404', { agent: 'nobody' }, /^the Space answered 404: it has no such Space or agent/],
] as const) {
  test(`an upgrade that is answered ${what} is not tried again, and says what to do`, async (t) => {
    const gateway = await StagedGateway.start(t);
    const dialled = dial(t, gateway, new URL('http://127.0.0.1:1'), options);
    await assert.rejects(dialled.ended, refused(words));
    assert.deepEqual(dialled.states.items, []);
  });
}

test('a gateway that is busy is dialled again', async (t) => {
  const gateway = await StagedGateway.start(t);
  const dialled = dial(t, gateway, new URL('http://127.0.0.1:1'), {
    key: 'of-a-busy-space',
    clock: new ManualClock(0),
  });
  await dialled.states.until((states) => states.length === 1);
  const waiting = { state: 'waiting', because: 'the Space answered 503', retryInMs: 250 };
  assert.deepEqual(dialled.states.items, [waiting]);
  await dialled.stop();
});

test('a key goes unencrypted to this machine only, unless it is allowed', async (t) => {
  const dialling = (spaceUrl: string, allowPlain = false) =>
    dial(t, { url: new URL(spaceUrl) }, new URL('http://127.0.0.1:1'), { allowPlain, clock: new ManualClock(0) });
  await assert.rejects(dialling('http://space.invalid').ended, refused(/would get the key unencrypted; write https:/));
  await assert.rejects(dialling('http://127.0.0.1.invalid').ended, refused(/unencrypted/));
  const allowed = dialling('http://0.0.0.0:1', true);
  await allowed.states.until((states) => states.some(isWaiting));
  await allowed.stop();
});

test('both ends of a connection that went dead find it by a ping that nobody answers', async (t) => {
  const [near, far] = [new ManualClock(0), new ManualClock(0)];
  const gateway = await StagedGateway.start(t, { clock: near });
  const line = await SilentLine.to(t, gateway.url);
  const { url } = await holding(t);
  const dialled = dial(t, line, url, { clock: far });
  await dialled.states.until((states) => states.some(isConnected));
  const reading = textOf(await gateway.upstream().call(get('/'), NEVER));
  line.goSilent();
  for (const clock of [near, far]) {
    clock.pass(TUNNEL_LIMITS.pingEveryMs);
    clock.pass(TUNNEL_LIMITS.pongWithinMs);
  }
  await assert.rejects(reading, failed('A2A_TUNNEL_LOST', true));
  await gateway.changes.until((changes) => changes.includes('a-'));
  await dialled.states.until((states) => states.some(isWaiting));
});

test('an end that says nothing after its upgrade is no tunnel, and pushes none away', async (t) => {
  const clock = new ManualClock(0);
  const gateway = await StagedGateway.start(t, { clock });
  const to = await stagedAgent(t, (_request, response) => response.end('here'));
  await dial(t, gateway, to).states.until((states) => states.some(isConnected));
  const mute = await dumb(gateway);
  assert.equal(await textOf(await gateway.upstream().call(get('/'), NEVER)), 'here');
  const closed = once(mute, 'close');
  clock.pass(TUNNEL_LIMITS.handshakeMs);
  await closed;
  assert.equal(await textOf(await gateway.upstream().call(get('/'), NEVER)), 'here');
  assert.deepEqual(gateway.changes.items, ['a+']);
});

test('of one agent so many connections are open, and the one that takes calls stays', async (t) => {
  const { gateway } = await tunnelTo(t, (_request, response) => response.end('here'));
  const mutes: WebSocket[] = [];
  for (let more = 1; more < TUNNEL_LIMITS.tunnelsOfOneAgent; more += 1) mutes.push(await dumb(gateway));
  const [oldest] = mutes;
  assert.ok(oldest);
  const closed = once(oldest, 'close');
  mutes.push(await dumb(gateway));
  await closed;
  assert.ok(mutes.slice(1).every(({ readyState }) => readyState === WebSocket.OPEN));
  assert.equal(await textOf(await gateway.upstream().call(get('/'), NEVER)), 'here');
});

test('what does not offer the protocol of tunnels is none', async (t) => {
  const gateway = await StagedGateway.start(t);
  const headers = { ...authorized, connection: 'upgrade', upgrade: 'websocket' };
  const request = httpRequest(pathOf(gateway), { headers }).end();
  const [response] = (await once(request, 'response')) as [{ statusCode: number; resume(): void }];
  assert.equal(response.statusCode, 400);
  response.resume();
});

test('who offers no tunnel and does not hang up is hung up on', async (t) => {
  const gateway = await StagedGateway.start(t);
  const { hostname, port, pathname } = pathOf(gateway);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const lost = once(socket, 'error');
  const upgrade = `authorization: ${authorized.authorization}\r\nconnection: upgrade\r\nupgrade: websocket`;
  socket.write(`GET ${pathname} HTTP/1.1\r\nhost: h\r\n${upgrade}\r\n\r\n`);
  await once(socket.resume(), 'end');
  const more = (): void => void socket.write('still here', (error) => error ?? setImmediate(more));
  more();
  await lost;
});

test('a gateway that closes cuts every tunnel, and its ends dial again', async (t) => {
  const { gateway, dialled } = await tunnelTo(t, (_request, response) => response.end());
  gateway.tunnels.close();
  gateway.tunnels.close();
  await dialled.states.until((states) => states.some(isWaiting));
  await gateway.changes.until((changes) => changes.includes('a-'));
});

const authorized = { authorization: `Bearer ${KEY}` };
const pathOf = ({ url }: StagedGateway): URL => new URL('/api/v1/spaces/s/agents/a/tunnel', url);

/** A WebSocket that is open and says nothing of HTTP/2. */
async function dumb(gateway: StagedGateway): Promise<WebSocket> {
  const url = pathOf(gateway).href.replace('http', 'ws');
  const socket = new WebSocket(url, TUNNEL_PROTOCOL, { headers: authorized });
  socket.on('error', () => undefined);
  await once(socket, 'open');
  return socket;
}
