import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimOne, owe, prepared } from '../../../contract/space-store-samples.ts';
import { SPACE_LIMITS } from '../../space/limits.ts';
import { type OpenSpace, openSpace, problemOf } from './fixtures/open-space.ts';

async function dead({ store }: OpenSpace, task: string, at: number, space = 'demo'): Promise<void> {
  await prepared(store, task, { space });
  await owe(store, task, 'space:audit', ['{"secret":1}', '{}'], at);
  await store.failed(await claimOne(store, at), { error: 'HTTP_503', now: at });
}

test('an operator sees dead letters of the Space, and sends one again', async (t) => {
  const space = await openSpace(t);
  const { call, did, store } = space;
  await dead(space, 'task-1', 5_000);
  await dead(space, 'task-2', 6_000, 'second');
  const { json } = await call('GET', '/outbox');
  const [letter] = json.dead;
  assert.deepEqual(json, {
    dead: [
      {
        id: letter.id,
        sink: 'space:audit',
        taskId: 'task-1',
        attempts: 1,
        lastError: 'HTTP_503',
        events: 2,
        diedAt: '1970-01-01T00:00:05.000Z',
      },
    ],
    nextCursor: null,
  });
  for (const key of ['paul', 'carl']) {
    assert.deepEqual(problemOf(await call('GET', '/outbox', { key })), [403, 'forbidden']);
    assert.deepEqual(problemOf(await call('POST', `/outbox/${letter.id}/replay`, { key })), [403, 'forbidden']);
  }
  assert.deepEqual(problemOf(await call('POST', `/outbox/${letter.id}/replay`, { space: 'second' })), [
    404,
    'not-found',
  ]);
  assert.deepEqual(did, []);
  const replayed = await call('POST', `/outbox/${letter.id}/replay`);
  assert.deepEqual([replayed.status, replayed.json, did], [202, { replayed: true }, ['woke the outbox']]);
  assert.deepEqual((await call('GET', '/outbox')).json.dead, []);
  assert.equal((await store.counts()).dead, 1);
  for (const id of [letter.id, 'x', '0', '-1', '1%20', '9'.repeat(30)])
    assert.deepEqual(problemOf(await call('POST', `/outbox/${id}/replay`)), [404, 'not-found'], id);
});

test('dead letters come in pages', async (t) => {
  const space = await openSpace(t);
  for (let at = 0; at <= SPACE_LIMITS.pageItems; at += 1) await dead(space, `task-${at}`, 5_000 + at);
  const first = (await space.call('GET', '/outbox')).json;
  assert.equal(first.dead.length, SPACE_LIMITS.pageItems);
  const rest = (await space.call('GET', `/outbox?cursor=${encodeURIComponent(first.nextCursor)}`)).json;
  assert.deepEqual(
    [rest.dead.length, rest.dead[0].taskId, rest.nextCursor],
    [1, `task-${SPACE_LIMITS.pageItems}`, null],
  );
  for (const cursor of ['', 'x', '%00', 'e30'])
    assert.deepEqual(problemOf(await space.call('GET', `/outbox?cursor=${cursor}`)), [400, 'bad-cursor'], cursor);
});
