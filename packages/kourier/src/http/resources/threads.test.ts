import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntryId, ThreadId, TurnId } from '../../core/thread/ids.ts';
import { openInterface } from '../fixtures/open-interface.ts';

const ada = { id: 'u1', name: 'Ada', email: 'ada@example.org' };
const TRACE = '0af7651916cd43dd8448eb211c80319c';

test('a thread is opened, and its timeline shows the message', async (t) => {
  const { call, courier } = await openInterface(t);
  const opened = await call('POST', '/api/v1/threads', { binding: 'ops', text: 'hi', actor: ada });
  assert.equal(opened.status, 201);
  const { thread, turnId } = opened.body;
  assert.equal(opened.headers.get('location'), `/api/v1/threads/${thread}`);
  assert.deepEqual(courier.calls, [{ binding: 'ops', text: 'hi', actor: ada }]);
  const { status, body, headers } = await call('GET', `/api/v1/threads/${thread}`);
  assert.equal(status, 200);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.deepEqual([body.id, body.binding, body.status], [thread, 'ops', 'queued']);
  const at = '2023-11-14T22:13:20.000Z';
  assert.deepEqual(body.entries, [{ id: body.entries[0].id, kind: 'message', turnId, actor: ada, text: 'hi', at }]);
});

test('a message without an actor is written by anonymous, never by nobody', async (t) => {
  const { call, courier } = await openInterface(t);
  const { body } = await call('POST', '/api/v1/threads', { binding: 'ops', text: 'hi' });
  await call('POST', `/api/v1/threads/${body.thread}/messages`, { text: 'more' });
  const anonymous = { actor: { id: 'anonymous' } };
  assert.deepEqual(courier.calls, [
    { binding: 'ops', text: 'hi', ...anonymous },
    { text: 'more', mention: true, ...anonymous },
  ]);
});

test('an idempotency key is the same thread, turn and message', async (t) => {
  const { call } = await openInterface(t);
  const body = { binding: 'ops', text: 'hi', idempotencyKey: 'k-1' };
  const first = await call('POST', '/api/v1/threads', body);
  const again = await call('POST', '/api/v1/threads', body);
  assert.deepEqual([first.status, again.status], [201, 200]);
  assert.deepEqual(again.body, first.body);
  const path = `/api/v1/threads/${first.body.thread}/messages`;
  const second = await call('POST', path, { text: 'two', idempotencyKey: 'k-2' });
  const secondAgain = await call('POST', path, { text: 'two', idempotencyKey: 'k-2' });
  assert.deepEqual([second.status, secondAgain.status], [202, 200]);
  assert.deepEqual(secondAgain.body, second.body);
  const { entries } = (await call('GET', `/api/v1/threads/${first.body.thread}`)).body;
  assert.equal(entries.length, 2);
});

test('a message without a mention has no turn', async (t) => {
  const { call } = await openInterface(t);
  const { body } = await call('POST', '/api/v1/threads', { binding: 'ops', text: 'hi' });
  const aside = await call('POST', `/api/v1/threads/${body.thread}/messages`, { text: 'aside', mention: false });
  assert.deepEqual([aside.status, aside.body], [202, {}]);
});

test('the trace of the caller is taken on when it is well-formed', async (t) => {
  const { call, courier } = await openInterface(t);
  const traceparents = [
    [`00-${TRACE}-b7ad6b7169203331-01`, TRACE],
    [`00-${'0'.repeat(32)}-b7ad6b7169203331-01`, undefined],
    [`00-${TRACE}-${'0'.repeat(16)}-01`, undefined],
    [`00-${TRACE.toUpperCase()}-b7ad6b7169203331-01`, undefined],
    ['garbage', undefined],
  ] as const;
  for (const [traceparent, traceId] of traceparents) {
    await call('POST', '/api/v1/threads', { binding: 'ops', text: 'hi' }, { headers: { traceparent } });
    assert.equal((courier.calls.pop() as { traceId?: string }).traceId, traceId, traceparent);
  }
});

test('unknown bindings and threads are 404, another platform is 409', async (t) => {
  const { call } = await openInterface(t);
  const unknown = await call('POST', '/api/v1/threads', { binding: 'none', text: 'hi' });
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'binding-not-found']);
  const slack = await call('POST', '/api/v1/threads', { binding: 'chat', text: 'hi' });
  assert.deepEqual([slack.status, slack.body.code], [409, 'binding-not-web']);
  for (const id of ['t_none', '%00', '..%2f..', 'x'.repeat(300), '__proto__', "'%20or%201=1"]) {
    const calls = [
      await call('GET', `/api/v1/threads/${id}`),
      await call('GET', `/api/v1/threads/${id}/events`),
      await call('POST', `/api/v1/threads/${id}/messages`, { text: 'hi' }),
      await call('POST', `/api/v1/threads/${id}/stop`, {}),
    ];
    for (const { status, body } of calls) assert.deepEqual([status, body.code], [404, 'thread-not-found'], id);
  }
});

test('a full thread is 429, a courier that stops 503, both with when to come back', async (t) => {
  const { call, courier } = await openInterface(t);
  const { thread } = (await call('POST', '/api/v1/threads', { binding: 'ops', text: 'hi' })).body;
  courier.say = async () => ({ kind: 'full' });
  const full = await call('POST', `/api/v1/threads/${thread}/messages`, { text: 'more' });
  assert.deepEqual([full.status, full.body.code, full.headers.get('retry-after')], [429, 'thread-full', '5']);
  courier.stopping = true;
  const stopping = await call('POST', '/api/v1/threads', { binding: 'ops', text: 'hi' });
  assert.deepEqual([stopping.status, stopping.body.code, stopping.headers.get('retry-after')], [503, 'stopping', '5']);
});

test('stop says whether something was under way', async (t) => {
  const { call, commit } = await openInterface(t);
  const { thread } = (await call('POST', '/api/v1/threads', { binding: 'ops', text: 'hi' })).body;
  const stop = async () => await call('POST', `/api/v1/threads/${thread}/stop`, { actor: ada });
  await commit(thread, [], 'running');
  const running = await stop();
  assert.deepEqual([running.status, running.body], [202, { stopping: true }]);
  await commit(thread, [], 'idle');
  const idle = await stop();
  assert.deepEqual([idle.status, idle.body], [202, { stopping: false }]);
});

test('the timeline shows the live text of an answer until its end is committed', async (t) => {
  const { call, commit, chat } = await openInterface(t);
  const { thread, turnId } = (await call('POST', '/api/v1/threads', { binding: 'ops', text: 'hi' })).body;
  const answer = (text: string, streaming: boolean) =>
    ({ kind: 'answer', id: 'a' as EntryId, turnId: turnId as TurnId, text, streaming }) as const;
  const shown = async () => (await call('GET', `/api/v1/threads/${thread}`)).body.entries[1];
  const revision = await commit(thread, [answer('', true)], 'running');
  const live = { thread: thread as ThreadId, binding: 'ops', status: 'running', revision, live: true } as const;
  chat.show({ ...live, entries: [answer('Hel', true)] });
  assert.deepEqual(await shown(), answer('Hel', true));
  await commit(thread, [answer('Hello', false)], 'idle', false);
  assert.deepEqual(await shown(), answer('Hello', false));
});
