import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:http';
import { test } from 'node:test';
import { openThread, streamsCome } from '../fixtures/event-thread.ts';

test('C179 a thousand readers that leave a quiet thread leave nothing behind', async (t) => {
  const { url, chat, clock, offered, thread } = await openThread(t);
  const MANY = 1_000;
  const requests = Array.from({ length: MANY }, () => get(`${url}/api/v1/threads/${thread}/events`, { agent: false }));
  await Promise.all(requests.map((request) => once(request, 'response')));
  assert.deepEqual([offered.openStreams(), chat.readers()], [MANY, MANY]);
  for (const request of requests) request.destroy();
  await streamsCome(offered, 0);
  assert.deepEqual([chat.readers(), clock.waits], [0, 0]);
});

test('a reader that leaves while the store is read leaves nothing behind', async (t) => {
  const { url, call, store, chat, clock, offered, thread } = await openThread(t);
  const { changes } = store;
  const reading = Promise.withResolvers<void>();
  const proceed = Promise.withResolvers<void>();
  store.changes = async (...asked) => {
    reading.resolve();
    await proceed.promise;
    return changes.apply(store, asked);
  };
  const request = get(`${url}/api/v1/threads/${thread}/events`, { agent: false });
  request.on('error', () => undefined);
  await reading.promise;
  assert.equal(offered.openStreams(), 1);
  request.destroy();
  await streamsCome(offered, 0);
  proceed.resolve();
  await call('GET', '/healthz');
  assert.deepEqual([chat.readers(), offered.openStreams(), clock.waits], [0, 0, 0]);
});

test('a store that fails is 500, and the next reader is as welcome as before', async (t) => {
  const { call, store, chat, offered, thread } = await openThread(t);
  store.changes = async () => {
    throw new Error('disk');
  };
  const { status, body } = await call('GET', `/api/v1/threads/${thread}/events`);
  assert.deepEqual([status, body.code], [500, 'internal-error']);
  assert.deepEqual([offered.openStreams(), chat.readers()], [0, 0]);
});

test('past the limit of readers it is 503, and HEAD opens no stream', async (t) => {
  const { url, watch, call, offered, thread } = await openThread(t, { eventStreams: 2 });
  const path = `/api/v1/threads/${thread}/events`;
  const head = await fetch(url + path, { method: 'HEAD' });
  assert.deepEqual([head.status, offered.openStreams()], [200, 0]);
  await watch();
  await watch();
  const { status, body, headers } = await call('GET', path);
  assert.deepEqual([status, body.code, headers.get('retry-after')], [503, 'too-many-streams', '5']);
  assert.equal(offered.openStreams(), 2);
});
