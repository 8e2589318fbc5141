import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { ManualClock } from '../../../../test/manual-clock.ts';
import { keepPulse } from './keep-pulse.ts';
import { TUNNEL_LIMITS } from './limits.ts';

/** Both ends of a WebSocket, the first one kept alive. */
async function pair(t: TestContext, clock: ManualClock): Promise<{ kept: WebSocket; other: WebSocket }> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', autoPong: false });
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const other = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, { autoPong: false });
  await once(other, 'open');
  const [kept] = (await accepted) as [WebSocket];
  kept.once('close', keepPulse(kept, clock));
  t.after(() => {
    other.terminate();
    kept.terminate();
    server.close();
  });
  return { kept, other };
}

const { pingEveryMs, pongWithinMs } = TUNNEL_LIMITS;

test('an end that answers is asked again and again', async (t) => {
  const clock = new ManualClock(0);
  const { kept, other } = await pair(t, clock);
  for (let round = 0; round < 3; round += 1) {
    const [asked, answered] = [once(other, 'ping'), once(kept, 'pong')];
    clock.pass(pingEveryMs);
    await asked;
    other.pong();
    await answered;
    clock.pass(pongWithinMs);
    assert.equal(kept.readyState, WebSocket.OPEN);
  }
});

test('an end that sends lives, though its answer is far behind', async (t) => {
  const clock = new ManualClock(0);
  const { kept, other } = await pair(t, clock);
  const heard = once(kept, 'message');
  clock.pass(pingEveryMs);
  other.send('x');
  await heard;
  clock.pass(pongWithinMs);
  assert.equal(kept.readyState, WebSocket.OPEN);
});

test('an end that says nothing is cut, and nothing waits any more', async (t) => {
  const clock = new ManualClock(0);
  const { kept } = await pair(t, clock);
  const closed = once(kept, 'close');
  clock.pass(pingEveryMs);
  clock.pass(pongWithinMs - 1);
  assert.equal(kept.readyState, WebSocket.OPEN);
  clock.pass(1);
  await closed;
  assert.equal(clock.waits, 0);
});

test('an end that asks is answered, and one that reads no answers is not', async (t) => {
  const { kept, other } = await pair(t, new ManualClock(0));
  const answered = once(other, 'pong');
  other.ping('there?');
  assert.equal(String((await answered)[0]), 'there?');
  other.pause();
  // What it does not read piles up here; pings add nothing to that.
  while (kept.bufferedAmount <= TUNNEL_LIMITS.frameBytes) kept.send(Buffer.alloc(1_048_576));
  const before = kept.bufferedAmount;
  const asked = once(kept, 'ping');
  other.ping('again?');
  await asked;
  assert.ok(kept.bufferedAmount <= before);
});
