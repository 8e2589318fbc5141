import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { ManualClock } from '../../../test/manual-clock.ts';
import { insideUpstreams } from '../../adapters/upstream/inside/inside-upstreams.ts';
import type { SpacePolicy } from '../../ports/space/space-configuration.ts';
import type { PlatformTask } from '../../ports/space/task-ledger.ts';
import { deliverEvents, namesSinks, owedEvents } from './deliver-events.ts';

const KEY = Buffer.alloc(32, 7);
const NOW = 1_900_000_000_999;
const QUEUE = { id: '1', space: 'demo', sink: 'space:audit', taskId: 'task-1', attempts: 0, refusals: 0 };
const EVENT = { sequence: 12, payload: '{"type":"task.state","ü":"."}', owedAt: 1 };
const NEVER = new AbortController().signal;

interface Got {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A sink on a real socket that answers as the test says. */
async function sink(t: TestContext, answer: { status: number; headers?: Record<string, string> }) {
  const got: Got[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    got.push({ headers: request.headers, body });
    response.writeHead(answer.status, answer.headers).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const upstreams = insideUpstreams();
  t.after(async () => {
    await upstreams.close();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const sinks = [{ name: 'audit', url, secret: `whsec_${KEY.toString('base64')}` }];
  const deliver = deliverEvents({
    policyOf: (space) => (space === 'demo' ? ({ id: 'demo', sinks } as unknown as SpacePolicy) : undefined),
    upstream: () => upstreams.to([url]),
    clock: new ManualClock(NOW),
  });
  return { got, deliver, server };
}

test('an event is posted as it was owed, under a signature of Standard Webhooks', async (t) => {
  const { got, deliver } = await sink(t, { status: 204 });
  assert.deepEqual(await deliver(QUEUE, EVENT, NEVER), { kind: 'taken' });
  assert.deepEqual(await deliver({ ...QUEUE, attempts: 3 }, EVENT, NEVER), { kind: 'taken' });
  const [{ headers, body } = assert.fail(), again] = got;
  assert.equal(body, EVENT.payload);
  assert.equal(headers['content-type'], 'application/json');
  assert.equal(headers['webhook-timestamp'], '1900000000');
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers;
  // The parts are joined with a full stop, so none but the last may hold one.
  assert.doesNotMatch(String(id), /\./);
  assert.equal(again?.headers['webhook-id'], id);
  const expected = createHmac('sha256', KEY)
    .update(Buffer.from(`${id}.${timestamp}.${body}`, 'utf8'))
    .digest('base64');
  assert.equal(headers['webhook-signature'], `v1,${expected}`);
});

test('what a sink answers says whether and when it is asked again', async (t) => {
  for (const [status, headers, expected] of [
    [200, {}, { kind: 'taken' }],
    [400, {}, { kind: 'refused', error: 'HTTP_400' }],
    [410, {}, { kind: 'refused', error: 'HTTP_410' }],
    [408, {}, { kind: 'failed', error: 'HTTP_408' }],
    [425, {}, { kind: 'failed', error: 'HTTP_425' }],
    [429, { 'retry-after': '7' }, { kind: 'failed', error: 'HTTP_429', retryAfterMs: 7_000 }],
    [503, { 'retry-after': '-1' }, { kind: 'failed', error: 'HTTP_503' }],
    [503, { 'retry-after': 'soon' }, { kind: 'failed', error: 'HTTP_503' }],
    [307, { location: 'http://127.0.0.1:1/' }, { kind: 'failed', error: 'A2A_UPSTREAM_REDIRECT_REFUSED' }],
  ] as const) {
    const { deliver } = await sink(t, { status, headers });
    assert.deepEqual(await deliver(QUEUE, EVENT, NEVER), expected, String(status));
  }
});

test('a sink that cannot be reached failed, one that is not configured any more is gone, and a stop is neither', async (t) => {
  const { deliver, server } = await sink(t, { status: 200 });
  assert.deepEqual(await deliver({ ...QUEUE, sink: 'space:other' }, EVENT, NEVER), { kind: 'gone' });
  assert.deepEqual(await deliver({ ...QUEUE, space: 'other' }, EVENT, NEVER), { kind: 'gone' });
  const stopping = new AbortController();
  stopping.abort(new Error('stop'));
  await assert.rejects(deliver(QUEUE, EVENT, stopping.signal), { message: 'stop' });
  server.close();
  await once(server, 'close');
  assert.deepEqual(await deliver(QUEUE, EVENT, NEVER), { kind: 'failed', error: 'A2A_UPSTREAM_CONNECT_FAILED' });
});

test('a sink is named when its Space has one of that name', () => {
  const sinks = [{ name: 'audit' }];
  const names = namesSinks((space) => (space === 'demo' ? ({ sinks } as unknown as SpacePolicy) : undefined));
  assert.equal(names({ space: 'demo', sink: 'space:audit' }), true);
  for (const [space, sink] of [
    ['demo', 'audit'],
    ['demo', 'space:other'],
    ['other', 'space:audit'],
  ] as const)
    assert.equal(names({ space, sink }), false);
});

test('each sink is owed what is on record of a task, and nothing that was said', () => {
  const task: PlatformTask = {
    ...{ id: 'task-1', space: 'demo', agent: 'echo', versionId: 'v1-0', caller: '["acme","user","ada"]' },
    ...{ remoteTaskId: 'r1', state: 'completed', createdAt: 1_000, updatedAt: 2_000 },
  };
  const policy = { sinks: [{ name: 'a' }, { name: 'b' }] } as unknown as SpacePolicy;
  const [first, second] = owedEvents(task, policy);
  assert.deepEqual([first?.sink, second?.sink], ['space:a', 'space:b']);
  assert.deepEqual(JSON.parse(first?.payload ?? ''), {
    ...{ type: 'task.state', space: 'demo', agentId: 'echo', versionId: 'v1-0', taskId: 'task-1', remoteTaskId: 'r1' },
    ...{ status: 'completed', at: '1970-01-01T00:00:02.000Z' },
  });
  assert.deepEqual(owedEvents(task, undefined), []);
});
