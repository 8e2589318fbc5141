import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { answer, isStatus, openThread, streamsCome } from '../fixtures/event-thread.ts';

test('a reader gets the thread whole, then each change as it is committed', async (t) => {
  const { watch, commit, call, thread, answers } = await openThread(t);
  const reader = await watch();
  assert.equal(reader.response.headers['content-type'], 'text/event-stream');
  const first = await reader.until(isStatus);
  assert.deepEqual(
    first.map(({ event }) => event),
    ['entry', 'status'],
  );
  const { entries } = (await call('GET', `/api/v1/threads/${thread}`)).body;
  assert.deepEqual(first[0]?.data, entries[0]);
  const revision = await commit(thread, [answer('a', 'Hel')], 'running');
  const [entry, status] = await reader.until(isStatus);
  assert.deepEqual([entry?.data, status?.data], [answer('a', 'Hel'), { status: 'running' }]);
  assert.equal(status?.id, String(revision));
  for (const { event, data } of [...first, ...(entry ? [entry] : [])])
    answers.fits(event === 'entry' ? 'Entry' : 'StatusEvent', data);
  await commit(thread, [answer('a', 'Hello')], 'running');
  const next = await reader.next();
  assert.deepEqual(
    [next?.event, next?.data],
    ['entry', answer('a', 'Hello')],
    'a status that did not change is not sent',
  );
});

test('Last-Event-ID and ?after resume with what changed since, and live text besides', async (t) => {
  const { watch, commit, live, thread } = await openThread(t);
  const seen = await commit(thread, [answer('a', 'old', false), answer('b', '')], 'running');
  live(answer('b', 'on its way'), seen);
  const newest = await commit(thread, [answer('c', 'new', false)], 'running');
  for (const reader of [await watch({ 'last-event-id': String(seen) }), await watch({}, `?after=${seen}`)]) {
    const events = await reader.until(isStatus);
    assert.deepEqual(
      events.slice(0, -1).map(({ data }) => data),
      [answer('c', 'new', false), answer('b', 'on its way')],
    );
    assert.equal(events.at(-1)?.id, String(newest));
  }
});

test('what is no revision of this thread counts as none', async (t) => {
  const { watch } = await openThread(t);
  for (const id of ['-1', 'x', '1e3', '9'.repeat(40), '999999', '__proto__', '1; drop', ' ']) {
    const reader = await watch({ 'last-event-id': id });
    const events = await reader.until(isStatus);
    assert.deepEqual(
      events.map(({ event }) => event),
      ['entry', 'status'],
      id,
    );
    assert.ok(Number(events.at(-1)?.id) < 999_999, id);
    reader.close();
  }
});

test('ids promise no more than was sent: only the last frame of a batch has its revision', async (t) => {
  const { watch, commit, thread } = await openThread(t);
  const first = await commit(thread, [], 'idle');
  const reader = await watch({ 'last-event-id': String(first) });
  await reader.until(isStatus);
  const revision = await commit(thread, [answer('a', '1'), answer('b', '2'), answer('c', '3')], 'running');
  const events = await reader.until(isStatus);
  assert.deepEqual(
    events.map(({ id }) => id),
    [...Array(3).fill(String(first)), String(revision)],
  );
});

test('nothing is lost between what was subscribed to and what was read', async (t) => {
  const { watch, commit, live, thread, store } = await openThread(t);
  const { changes } = store;
  const reading = Promise.withResolvers<void>();
  const proceed = Promise.withResolvers<void>();
  store.changes = async (...asked) => {
    const read = await changes.apply(store, asked);
    reading.resolve();
    await proceed.promise;
    return read;
  };
  const revision = await commit(thread, [answer('a', 'begun'), answer('b', 'begun')], 'running');
  const opening = watch();
  await reading.promise;
  live(answer('a', 'live'), revision);
  live(answer('b', 'live'), revision);
  const last = await commit(thread, [answer('b', 'final', false), answer('c', 'later', false)], 'waiting');
  proceed.resolve();
  const events = await (await opening).until(isStatus);
  const entries = events.slice(1, -1).map(({ data }) => data);
  assert.deepEqual(entries, [answer('a', 'live'), answer('b', 'final', false), answer('c', 'later', false)]);
  assert.deepEqual(events.at(-1)?.data, { status: 'waiting' });
  assert.equal(events.at(-1)?.id, String(last));
});

test('a commit that the store shows before the hub does is not undone by live text', async (t) => {
  const { watch, commit, live, thread } = await openThread(t);
  const revision = await commit(thread, [answer('a', '')], 'running');
  live(answer('a', 'half'), revision);
  await commit(thread, [answer('a', 'final', false)], 'idle', false);
  const events = await (await watch()).until(isStatus);
  assert.deepEqual(events[1]?.data, answer('a', 'final', false));
});

test('a change that was never shown is read from the store when a later one is', async (t) => {
  const { watch, commit, live, thread } = await openThread(t);
  const reader = await watch();
  await reader.until(isStatus);
  await commit(thread, [answer('a', 'unshown', false)], 'queued', false);
  await commit(thread, [answer('b', 'unshown')], 'queued', false);
  const last = await commit(thread, [answer('c', 'shown', false)], 'running');
  const events = await reader.until(isStatus);
  const entries = [answer('a', 'unshown', false), answer('b', 'unshown'), answer('c', 'shown', false)];
  assert.deepEqual(
    events.slice(0, -1).map(({ data }) => data),
    entries,
  );
  assert.deepEqual([events.at(-1)?.data, events.at(-1)?.id], [{ status: 'running' }, String(last)]);
  const unshown = await commit(thread, [answer('d', '')], 'running', false);
  live(answer('d', 'live'), unshown);
  assert.deepEqual((await reader.next())?.data, answer('d', 'live'));
});

test('a reader that cannot be told of a gap is closed, and resumes before it', async (t) => {
  const { watch, commit, store, thread } = await openThread(t);
  const reader = await watch();
  const seen = (await reader.until(isStatus)).at(-1)?.id ?? '';
  await commit(thread, [answer('a', 'unshown', false)], 'queued', false);
  const { changes } = store;
  store.changes = async () => {
    throw new Error('disk');
  };
  await commit(thread, [answer('b', 'shown', false)], 'idle');
  assert.equal(await reader.next(), undefined);
  store.changes = changes;
  const events = await (await watch({ 'last-event-id': seen })).until(isStatus);
  assert.deepEqual(
    events.map(({ event }) => event),
    ['entry', 'entry', 'status'],
  );
});

test('a live update carries the revision of the last commit', async (t) => {
  const { watch, commit, live, thread } = await openThread(t);
  const reader = await watch();
  await reader.until(isStatus);
  const revision = await commit(thread, [answer('a', '')], 'running');
  await reader.until(isStatus);
  live(answer('a', 'x'), revision);
  assert.deepEqual(await reader.next(), { event: 'entry', data: answer('a', 'x'), id: String(revision) });
});

test('a reader that does not read costs the latest of each entry, and misses nothing that stays', async (t) => {
  const unpaced = { eventStreamBurstBytes: 2 ** 50, eventStreamBytesPerSecond: 2 ** 50 };
  const { watch, commit, live, thread } = await openThread(t, unpaced);
  const revision = await commit(thread, [answer('a', '')], 'running');
  const reader = await watch();
  await reader.until(isStatus);
  reader.response.pause();
  const rounds = 400;
  for (let round = 1; round <= rounds; round++) live(answer('a', `${round}`.padEnd(256 * 1_024, '.')), revision);
  await commit(thread, [answer('a', 'done', false)], 'idle');
  reader.response.resume();
  const events = await reader.until(isStatus);
  assert.ok(events.length < rounds / 4, `${events.length} frames`);
  assert.deepEqual(events.at(-2)?.data, answer('a', 'done', false));
});

test('live text is paced once the burst is used up; what is committed is not', async (t) => {
  const { watch, commit, live, thread, clock } = await openThread(t, {
    eventStreamBurstBytes: 1_000,
    eventStreamBytesPerSecond: 1_000,
  });
  const revision = await commit(thread, [answer('a', '')], 'running');
  const reader = await watch();
  await reader.until(isStatus);
  live(answer('a', '1'.padEnd(3_000, '.')), revision);
  assert.match((await reader.next())?.data.text, /^1/);
  live(answer('a', '2'), revision);
  live(answer('a', '3'), revision);
  clock.advance(10_000);
  assert.equal((await reader.next())?.data.text, '3', 'the one between was never sent');
  live(answer('a', '4'.padEnd(3_000, '.')), revision);
  assert.match((await reader.next())?.data.text, /^4/);
  live(answer('a', '5'), revision);
  await commit(thread, [answer('a', '6', false)], 'idle');
  assert.equal((await reader.next())?.data.text, '6');
});

test('a heartbeat goes out every 15 seconds, and none is waited for without readers', async (t) => {
  const { watch, clock, offered } = await openThread(t);
  assert.equal(clock.waits, 0);
  const reader = await watch();
  await reader.until(isStatus);
  for (let beat = 0; beat < 3; beat++) {
    clock.advance(15_000);
    assert.equal((await reader.next())?.event, 'comment');
  }
  reader.close();
  await streamsCome(offered, 0);
  assert.equal(clock.waits, 0);
});

test('a reader that takes nothing is closed', async (t) => {
  const { url, live, commit, thread, offered } = await openThread(t, { eventStreamStallMs: 200 });
  const revision = await commit(thread, [answer('a', '')], 'running');
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  t.after(() => socket.destroy());
  socket.on('error', () => undefined);
  socket.write(`GET /api/v1/threads/${thread}/events HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await once(socket, 'readable');
  assert.equal(offered.openStreams(), 1);
  live(answer('a', 'x'.repeat(32 * 1_024 * 1_024)), revision);
  await streamsCome(offered, 0);
});
