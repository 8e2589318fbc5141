// Several processes on one database, each at what the others are at.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { query } from '../../agent/db/postgres-server.ts';
import { agent, claimAll, owe, prepared, revision, saved, seen, task } from '../contract/space-store-samples.ts';
import type { RegisteredAgent } from '../src/core/directory/registered-agent.ts';
import type { SpaceStore } from '../src/ports/space/space-store.ts';
import { pair } from './space-store-pair.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

const SINK = { space: 'demo', sink: 's' };

const SKEWED = `SELECT count(*)::int AS skewed FROM space_queues q
  WHERE events <> (SELECT count(*) FROM space_events e WHERE e.queue = q.number)`;

test('what is owed while others deliver is delivered once and in its order', async (t) => {
  const { url, one, two, both } = await pair(t);
  const ids = numbers(12).map((n) => `task-${n}`);
  await Promise.all(ids.map((id) => prepared(one, id)));
  const got = new Map<string, string[]>();
  let owing = true;
  const observe = async (id: string) => {
    for (const n of numbers(15)) await owe(n % 2 === 0 ? one : two, id, 's', [`${n}`], n);
  };
  const deliver = async (store: SpaceStore) => {
    for (;;) {
      const isLast = !owing;
      const queues = await store.claim({ ...SINK, now: 1_000, until: 1_000_000, limit: 3 });
      for (const queue of queues) {
        const events = await store.owed(queue.id, 2);
        const delivered = got.get(queue.taskId) ?? [];
        got.set(queue.taskId, delivered);
        delivered.push(...events.map(({ payload }) => payload));
        const holdsOn = await store.delivered(queue, events.at(-1)?.sequence ?? 0);
        if (holdsOn) await store.release(queue, 1_000);
      }
      if (isLast && queues.length === 0 && (await store.counts()).owed === 0) return;
    }
  };
  const delivering = [...both, ...both].map(deliver);
  await Promise.all(ids.map(observe));
  owing = false;
  await Promise.all(delivering);
  for (const id of ids) assert.deepEqual(got.get(id), numbers(15).map(String), id);
  assert.deepEqual(await query(url, 'SELECT count(*)::int AS rows FROM space_events'), [{ rows: 0 }]);
});

test('each queue is claimed by one process, however many ask at once', async (t) => {
  const { one, two } = await pair(t);
  const ids = numbers(100).map((n) => `task-${n}`);
  await Promise.all(ids.map((id) => prepared(one, id)));
  await Promise.all(ids.map((id) => owe(two, id, 's', ['1'])));
  const claims = numbers(30).map((n) =>
    (n % 2 === 0 ? one : two).claim({ ...SINK, now: 2_000, until: 9_000, limit: 7 }),
  );
  const given = (await Promise.all(claims)).flat().map(({ taskId }) => taskId);
  assert.equal(new Set(given).size, given.length);
  const rest = await one.claim({ ...SINK, now: 2_000, until: 9_000, limit: 100 });
  assert.deepEqual([...given, ...rest.map(({ taskId }) => taskId)].sort(), [...ids].sort());
});

test('changes of an agent from all sides: each is made on what stood there', async (t) => {
  const { one, both } = await pair(t);
  await saved(one, agent('a', { current: revision(1) }));
  const count = async (store: SpaceStore): Promise<void> => {
    const before = (await store.agent('demo', 'a')) as RegisteredAgent;
    const { sequence: _, ...rest } = before;
    const failures = before.health.failures + 1;
    const answer = await store.saveAgent({ ...rest, health: { ...rest.health, failures } }, before);
    if (answer === 'stale') return count(store);
  };
  await Promise.all(numbers(20).map((n) => count(both[n % 2] ?? one)));
  assert.equal((await one.agent('demo', 'a'))?.health.failures, 20);
});

test('a reader that goes on after the last change misses none of many writers', async (t) => {
  const { one, two, both } = await pair(t);
  let writing = true;
  const heard: string[] = [];
  const read = async () => {
    let sequence = 0;
    for (;;) {
      const isLast = !writing;
      const changes = await two.changes(sequence, 5);
      for (const change of changes) if (change.kind === 'saved') heard.push(change.agent.id);
      sequence = changes.at(-1)?.sequence ?? sequence;
      if (isLast && changes.length === 0) return;
    }
  };
  const reading = read();
  // A card of some size makes the change take a while.
  const card = { description: 'x'.repeat(100_000) };
  const ids = numbers(150).map((n) => `agent-${n}`);
  const save = (id: string, n: number) =>
    saved(both[n % 2] ?? one, agent(id, { current: revision(1, n % 3 === 0 ? { card } : {}) }));
  await Promise.all(ids.map(save));
  writing = false;
  await reading;
  assert.deepEqual(heard.sort(), ids.sort());
});

test('an agent that is made by two processes at once is made by one', async (t) => {
  const { both, one } = await pair(t);
  for (const n of numbers(10)) {
    const urls = ['https://one.test/', 'https://two.test/'];
    const answers = await Promise.all(
      both.map((store, m) => store.saveAgent(agent(`a${n}`, { url: urls[m] ?? '' }), undefined)),
    );
    assert.equal(answers.filter((answer) => answer !== 'stale').length, 1);
    assert.deepEqual(
      await one.agent('demo', `a${n}`),
      answers.find((answer) => answer !== 'stale'),
    );
  }
});

test('what two processes saw of a task at once: one end, one name, and what is owed for it once', async (t) => {
  const { url, both, one } = await pair(t);
  for (const n of numbers(20)) {
    const id = `task-${n}`;
    await prepared(one, id);
    const ends = await Promise.all(
      both.map((store, m) => {
        const state = m === 0 ? ('completed' as const) : ('failed' as const);
        return store.observe(seen(id, { state, owed: [{ sink: 's', payload: `"${state}"` }] }));
      }),
    );
    assert.deepEqual([...ends].sort(), ['recorded', 'settled']);
    const { state } = (await one.task(id)) ?? {};
    assert.equal(state, ends[0] === 'recorded' ? 'completed' : 'failed');
  }
  assert.deepEqual(await one.counts(), { dead: 0, owed: 20 });
  for (const n of numbers(20)) {
    const id = `named-${n}`;
    await prepared(one, id);
    const names = await Promise.all(both.map((store, m) => store.observe(seen(id, { remoteTaskId: `${id}/${m}` }))));
    assert.deepEqual([...names].sort(), ['conflict', 'recorded']);
  }
  for (const n of numbers(20)) {
    const ids = [`left-${n}`, `right-${n}`];
    for (const id of ids) await prepared(one, id);
    const answers = await Promise.all(
      both.map((store, m) => store.observe(seen(ids[m] ?? '', { remoteTaskId: `of-both-${n}`, state: 'working' }))),
    );
    assert.deepEqual([...answers].sort(), ['conflict', 'recorded']);
    const loser = ids[answers.indexOf('conflict')] ?? '';
    assert.deepEqual(await one.task(loser), task(loser));
  }
  assert.deepEqual(await query(url, SKEWED), [{ skewed: 0 }]);
});

test("a token, a permit and a context that both processes want at once is one process's", async (t) => {
  const { both, one } = await pair(t);
  for (const n of numbers(20)) {
    const idempotency = { token: `token-${n}`, requestSha256: 'aa' };
    const tasks = await Promise.all(
      both.map((store, m) => store.prepareTask({ task: task(`task-${n}-${m}`), idempotency })),
    );
    assert.deepEqual(tasks.map(({ kind }) => kind).sort(), ['prepared', 'repeated']);
    assert.equal(new Set(tasks.map((answer) => 'task' in answer && answer.task.id)).size, 1);
    const permits = await Promise.all([...both, ...both].map((store) => store.usePermit(`jti-${n}`, 9_000, 1_000)));
    assert.equal(permits.filter(Boolean).length, 1);
    const claim = { space: 'demo', agent: 'a', contextId: `context-${n}` };
    const contexts = await Promise.all(both.map((store, m) => store.claimContext({ ...claim, caller: `caller-${m}` })));
    assert.equal(contexts.filter(Boolean).length, 1);
  }
  assert.equal((await one.tasks('demo', { limit: 100 })).tasks.length, 20);
});

test('events that are owed, claimed and delivered at once leave nothing astray', async (t) => {
  const { url, both, one } = await pair(t);
  const ids = numbers(4).map((n) => `task-${n}`);
  for (const id of ids) await prepared(one, id);
  const round = async (n: number) => {
    const store = both[n % 2] ?? one;
    const id = ids[n % ids.length] ?? '';
    await Promise.all([store.observe(seen(id, { owed: ['one', 'other'].map((to) => ({ sink: to, payload: '{}' })) }))]);
    for (const queue of await claimAll(store, { now: 9_000, until: 9_000, limit: 2 })) {
      const [event] = await store.owed(queue.id, 1);
      await store.delivered(queue, event?.sequence ?? 0);
      await store.failed(queue, { error: 'down', now: 9_000, ...(n % 5 === 0 ? {} : { dueAt: 9_000 }) });
    }
  };
  await Promise.all(numbers(80).map(round));
  assert.deepEqual(await query(url, SKEWED), [{ skewed: 0 }]);
  const [row] = await query(url, 'SELECT count(*)::int AS empty FROM space_queues WHERE events = 0');
  assert.deepEqual(row, { empty: 0 });
});
