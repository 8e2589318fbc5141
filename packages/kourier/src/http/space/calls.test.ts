import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seen } from '../../../contract/space-store-samples.ts';
import { card10 } from '../../space/fixtures/cards.ts';
import { spacePolicy } from '../../space/fixtures/space-policy.ts';
import { SPACE_LIMITS } from '../../space/limits.ts';
import { type OpenSpace, openSpace, problemOf } from './fixtures/open-space.ts';

const CARD = card10('https://a.example/rpc');
const [HASH, OTHER] = ['a'.repeat(64), 'b'.repeat(64)];
const CALL = { agentId: 'echo', messageId: 'm1', messageSha256: HASH };

/** A Space with the agent `echo`. */
async function withEcho(t: Parameters<typeof openSpace>[0]): Promise<OpenSpace & { readonly versionId: string }> {
  const space = await openSpace(t);
  const { json } = await space.call('POST', '/agents', { body: { card: CARD } });
  return { ...space, versionId: json.agent.current.versionId };
}

test('a call is prepared: a task on record, and a permit for it; the same again is the same task', async (t) => {
  const { call, versionId, store, permits } = await withEcho(t);
  const prepared = await call('POST', '/calls', { key: 'carl', body: { ...CALL, expectedVersionId: versionId } });
  const { permit, ...rest } = prepared.json;
  assert.deepEqual(
    [prepared.status, rest],
    [
      201,
      {
        ...{ taskId: 'task-1', agentId: 'echo', versionId, url: 'https://space.example/spaces/demo/agents/echo' },
        ...{ remoteTaskId: null, remoteContextId: null, permitExpiresAt: '2030-03-17T17:47:40.000Z' },
      },
    ],
  );
  const agent = (await store.agent('demo', 'echo')) ?? assert.fail();
  const caller = { tenant: 'acme', kind: 'user', id: 'carl', grants: new Map() } as const;
  const target = { policy: spacePolicy(), agent };
  const admitted = await permits.admit(permit, { caller, target, operation: 'send_message', messageSha256: HASH });
  assert.equal(admitted.id, 'task-1');
  const again = await call('POST', '/calls', { key: 'carl', body: CALL });
  assert.equal(again.json.taskId, 'task-1');
  assert.notEqual(again.json.permit, permit);
  const others = await call('POST', '/calls', { key: 'cara', body: CALL });
  assert.notEqual(others.json.taskId, 'task-1');
  const changed = await call('POST', '/calls', { key: 'carl', body: { ...CALL, messageSha256: OTHER } });
  assert.deepEqual(problemOf(changed), [409, 'idempotency-conflict']);
});

test('a key stands for one message to one agent', async (t) => {
  const { call } = await withEcho(t);
  await call('POST', '/agents', { body: { id: 'other', card: CARD } });
  const prepare = (more: object) =>
    call('POST', '/calls', { key: 'carl', body: { ...CALL, idempotencyKey: 'k', ...more } });
  const first = await prepare({});
  assert.equal((await prepare({ messageId: 'm2' })).json.taskId, first.json.taskId);
  assert.deepEqual(problemOf(await prepare({ messageSha256: OTHER })), [409, 'idempotency-conflict']);
  assert.deepEqual(problemOf(await prepare({ agentId: 'other' })), [409, 'idempotency-conflict']);
  assert.notEqual((await prepare({ idempotencyKey: 'k2' })).json.taskId, first.json.taskId);
  // In another Space it is another key.
  await call('POST', '/agents', { space: 'second', body: { id: 'echo', card: CARD } });
  const elsewhere = await call('POST', '/calls', {
    ...{ space: 'second', key: 'carl', body: { ...CALL, idempotencyKey: 'k' } },
  });
  assert.equal(elsewhere.status, 201);
  assert.notEqual(elsewhere.json.taskId, first.json.taskId);
});

test('what cannot be called is not prepared', async (t) => {
  const { call, policies, versionId, registration, store } = await withEcho(t);
  const body = { ...CALL, expectedVersionId: 'v9-0' };
  const changed = await call('POST', '/calls', { body });
  assert.deepEqual(
    [...problemOf(changed), changed.json.currentVersionId],
    [409, 'A2A_TARGET_VERSION_CHANGED', versionId],
  );
  assert.deepEqual(problemOf(await call('POST', '/calls', { body: { ...CALL, agentId: 'none' } })), [404, 'not-found']);
  await registration.health('demo', 'echo', { state: 'unhealthy', failures: 3 });
  assert.equal((await call('POST', '/calls', { body: CALL })).status, 201, 'the call will tell');
  policies.set('demo', spacePolicy({ egress: { public: false, ports: [443], trustedHosts: [] } }));
  const blocked = await call('POST', '/calls', { body: CALL });
  assert.deepEqual([...problemOf(blocked), blocked.json.reason], [409, 'agent-blocked', 'public-egress-disabled']);
  assert.equal((await store.tasks('demo', { limit: 9 })).tasks.length, 1);
});

test('operations are prepared on a task of the caller that its agent has named', async (t) => {
  const { call, store, versionId } = await withEcho(t);
  const { taskId } = (await call('POST', '/calls', { key: 'carl', body: CALL })).json;
  const operate = (body: object, key = 'carl', task = taskId) =>
    call('POST', `/tasks/${task}/operations`, { key, body });
  assert.deepEqual(problemOf(await operate({ operation: 'get_task' })), [409, 'A2A_REMOTE_TASK_NOT_BOUND']);
  await store.observe(seen(taskId, { remoteTaskId: 'r1', remoteContextId: 'c1', state: 'working' }));
  for (const operation of ['get_task', 'subscribe_to_task', 'cancel_task']) {
    const { status, json } = await operate({ operation });
    assert.deepEqual(
      [status, json.taskId, json.remoteTaskId, json.remoteContextId, json.versionId],
      [201, taskId, 'r1', 'c1', versionId],
    );
  }
  assert.equal((await operate({ operation: 'send_message', messageId: 'm2', messageSha256: OTHER })).status, 201);
  for (const [body, at] of [
    [{ operation: 'send_message' }, '/messageId'],
    [{ operation: 'send_message', messageId: 'm' }, '/messageSha256'],
    [{ operation: 'get_task', messageId: 'm' }, '/messageId'],
    [{ operation: 'cancel_task', messageSha256: HASH }, '/messageSha256'],
    [{ operation: 'get_task', idempotencyKey: 'k' }, ''],
    [{ operation: 'delete_task' }, '/operation'],
  ] as const) {
    const answered = await operate(body);
    assert.deepEqual([...problemOf(answered), answered.json.faults[0].at], [422, 'invalid-request', at]);
  }
  // An operator reads the tasks of others, and acts on none.
  for (const key of ['cara', 'olga'])
    assert.deepEqual(problemOf(await operate({ operation: 'get_task' }, key)), [404, 'not-found']);
  assert.deepEqual(problemOf(await operate({ operation: 'get_task' }, 'carl', 'task-none')), [404, 'not-found']);
  await call('DELETE', '/agents/echo');
  assert.deepEqual(problemOf(await operate({ operation: 'get_task' })), [404, 'not-found']);
});

test('tasks are shown to whose they are, and to operators; of another Space to nobody', async (t) => {
  const { call, store, versionId } = await withEcho(t);
  await call('POST', '/calls', { key: 'carl', body: CALL });
  const { taskId: cara } = (await call('POST', '/calls', { key: 'cara', body: CALL })).json;
  await store.observe(seen('task-1', { remoteTaskId: 'r1', state: 'completed', at: 1_900_000_001_000 }));
  const own = await call('GET', '/tasks/task-1', { key: 'carl' });
  assert.deepEqual(own.json, {
    ...{ taskId: 'task-1', agentId: 'echo', versionId, status: 'completed', remoteTaskId: 'r1', remoteContextId: null },
    ...{ createdAt: '2030-03-17T17:46:40.000Z', updatedAt: '2030-03-17T17:46:41.000Z' },
  });
  assert.deepEqual(problemOf(await call('GET', '/tasks/task-1', { key: 'cara' })), [404, 'not-found']);
  assert.equal((await call('GET', '/tasks/task-1')).status, 200);
  for (const [task, space] of [
    ['task-1', 'second'],
    ['none', 'demo'],
    ['%00', 'demo'],
  ] as const)
    assert.deepEqual(problemOf(await call('GET', `/tasks/${task}`, { space })), [404, 'not-found']);
  const ids = async (key: string, query = '') =>
    (await call('GET', `/tasks${query}`, { key })).json.tasks.map(({ taskId }: { taskId: string }) => taskId);
  assert.deepEqual([await ids('carl'), await ids('cara'), await ids('olga')], [['task-1'], [cara], []]);
  assert.deepEqual((await ids('olga', '?all=true')).toSorted(), ['task-1', cara]);
  assert.deepEqual(problemOf(await call('GET', '/tasks?all=true', { key: 'paul' })), [403, 'forbidden']);
});

test('tasks come in pages', async (t) => {
  const { call } = await withEcho(t);
  for (let at = 0; at <= SPACE_LIMITS.pageItems; at += 1)
    await call('POST', '/calls', { body: { ...CALL, messageId: `m${at}` } });
  const first = (await call('GET', '/tasks')).json;
  assert.equal(first.tasks.length, SPACE_LIMITS.pageItems);
  const rest = (await call('GET', `/tasks?cursor=${encodeURIComponent(first.nextCursor)}`)).json;
  assert.deepEqual([rest.tasks.length, rest.nextCursor], [1, null]);
  for (const cursor of ['', 'x', '%FF'])
    assert.deepEqual(problemOf(await call('GET', `/tasks?cursor=${cursor}`)), [400, 'bad-cursor'], cursor);
});

test('a message finds its agent; no fit is an answer', async (t) => {
  const { call } = await withEcho(t);
  const found = await call('POST', '/route', { key: 'carl', body: { text: 'please echo this' } });
  assert.deepEqual([found.status, found.json.outcome], [200, 'agent']);
  assert.deepEqual(found.json.agent, { agentId: 'echo', url: 'https://space.example/spaces/demo/agents/echo' });
  const none = await call('POST', '/route', { key: 'carl', body: { text: 'zzz' } });
  assert.deepEqual([none.status, none.json.outcome, none.json.agent], [200, 'none', undefined]);
  assert.equal((await call('POST', '/route', { body: { skillId: 'echo' } })).json.outcome, 'agent');
  assert.equal((await call('POST', '/route', { body: {} })).json.outcome, 'none');
  const long = { text: 'x'.repeat(SPACE_LIMITS.routeCharacters + 1) };
  assert.deepEqual(problemOf(await call('POST', '/route', { body: long })), [422, 'invalid-request']);
});

test('an agent that is configured and that nobody has looked at yet is neither gone nor unfit', async (t) => {
  const { call } = await openSpace(t, { agents: [{ space: 'demo', id: 'echo' }] });
  const prepared = await call('POST', '/calls', { body: CALL });
  assert.deepEqual([...problemOf(prepared), prepared.headers.get('retry-after')], [503, 'agent-awaited', '1']);
  assert.deepEqual(problemOf(await call('POST', '/calls', { body: { ...CALL, agentId: 'none' } })), [404, 'not-found']);
  assert.deepEqual(problemOf(await call('POST', '/route', { body: { text: 'echo' } })), [503, 'agent-awaited']);
  await call('POST', '/agents', { body: { id: 'echo', card: CARD } });
  assert.equal((await call('POST', '/route', { body: { text: 'zzz' } })).json.outcome, 'none');
  assert.equal((await call('POST', '/calls', { body: CALL })).status, 201);
});

test('a question that can be read in no way is refused, and not read in another', async (t) => {
  const { call } = await openSpace(t);
  for (const path of ['/tasks?all=yes', '/tasks?all=', '/agents?blocked=1', '/agents?blocked='])
    assert.deepEqual(problemOf(await call('GET', path)), [400, 'malformed-request'], path);
});
