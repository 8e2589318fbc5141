import assert from 'node:assert/strict';
import { SPACE_STORE_LIMITS } from '../src/ports/space/limits.ts';
import type { SpaceStore } from '../src/ports/space/space-store.ts';
import {
  claimAll,
  claimOne,
  nextDue,
  ODD,
  type OnSpaceStore,
  owe,
  payloadsOf,
  prepared,
  seen,
} from './space-store-samples.ts';

export function outboxContract(onStore: OnSpaceStore): void {
  owingContract(onStore);
  holdsContract(onStore);
  deadContract(onStore);
}

const duesOf = async (store: SpaceStore, now: number) =>
  (await claimAll(store, { now, until: now + 1_000, limit: 10 })).map(({ sink }) => sink).sort();

function owingContract(onStore: OnSpaceStore): void {
  onStore('what is owed is given in its order, by task and sink', async (store) => {
    await prepared(store, 'task-1');
    const owed = ['{"n":1}', JSON.stringify(ODD), '3'].map((payload) => ({ sink: ODD, payload }));
    await store.observe(seen('task-1', { owed: [...owed, { sink: 'other', payload: '4' }], at: 2_000 }));
    await owe(store, 'task-1', ODD, ['5'], 2_001);
    assert.deepEqual(await store.counts(), { dead: 0, owed: 5 });
    const queues = await claimAll(store, { now: 2_001, until: 3_000, limit: 10 });
    assert.equal(queues.length, 2);
    const queue = queues.find(({ sink }) => sink === ODD);
    assert.ok(queue);
    const { id, hold: _, ...rest } = queue;
    assert.deepEqual(rest, { space: 'demo', sink: ODD, taskId: 'task-1', attempts: 0, refusals: 0 });
    const events = await store.owed(id, 10);
    assert.deepEqual(
      events.map(({ payload, owedAt }) => [payload, owedAt]),
      [...owed.map(({ payload }) => [payload, 2_000]), ['5', 2_001]],
    );
    assert.deepEqual(await store.owed(id, 2), events.slice(0, 2));
    assert.deepEqual(
      [...events].map(({ sequence }) => sequence).sort((a, b) => a - b),
      events.map((e) => e.sequence),
    );
  });

  onStore('a queue that is none owes nothing', async (store) => {
    for (const id of ['', '0', '1', '-1', '1.5', 'x', '9'.repeat(40), '1\0']) {
      assert.deepEqual(await store.owed(id, 1), []);
      assert.equal(await store.replay('demo', id, 0), false);
    }
    assert.equal(await nextDue(store), undefined);
    assert.deepEqual(await store.counts(), { dead: 0, owed: 0 });
  });

  onStore(
    'what was taken is forgotten; a queue that owes nothing more ends, and the next has another id',
    async (store) => {
      await prepared(store, 'task-1');
      await owe(store, 'task-1', 's', ['1', '2', '3']);
      const queue = await claimOne(store, 2_000);
      const [, second, third] = await store.owed(queue.id, 10);
      assert.equal(await store.delivered(queue, second?.sequence ?? 0), true);
      assert.deepEqual(await payloadsOf(store, queue.id), ['3']);
      assert.equal(await store.delivered(queue, third?.sequence ?? 0), false);
      assert.equal(await nextDue(store), undefined);
      await owe(store, 'task-1', 's', ['4']);
      const next = await claimOne(store, 2_000);
      assert.notEqual(next.id, queue.id);
      assert.deepEqual(await payloadsOf(store, next.id), ['4']);
      const [event] = await store.owed(next.id, 1);
      assert.ok((event?.sequence ?? 0) > (third?.sequence ?? 0));
    },
  );
}

function holdsContract(onStore: OnSpaceStore): void {
  onStore('a queue is due when it owes, is held until then, and is due again', async (store) => {
    await prepared(store, 'task-1');
    await owe(store, 'task-1', 's', ['1'], 2_000);
    assert.equal(await nextDue(store), 2_000);
    assert.deepEqual(await duesOf(store, 1_999), []);
    const queue = await claimOne(store, 2_000, 5_000);
    await owe(store, 'task-1', 's', ['2'], 2_500);
    assert.deepEqual(await duesOf(store, 4_999), []);
    assert.equal(await nextDue(store), 5_000);
    await store.release(queue, 3_000);
    await store.failed(queue, { error: 'late', now: 3_000 });
    await store.release(queue, 9_000);
    assert.equal(await nextDue(store), 3_000);
    assert.deepEqual(await duesOf(store, 2_999), []);
    assert.deepEqual(await duesOf(store, 3_000), ['s']);
  });

  onStore('the first due are claimed first, and one that was released comes after them', async (store) => {
    for (const n of [1, 2, 3]) {
      await prepared(store, `task-${n}`);
      await owe(store, `task-${n}`, 's', ['1', '2'], 2_000 + n);
    }
    const first = await claimOne(store, 3_000);
    assert.equal(first.taskId, 'task-1');
    await store.release(first, 3_000);
    const rest = await store.claim({ space: 'demo', sink: 's', now: 3_000, until: 4_000, limit: 2 });
    assert.deepEqual(rest.map(({ taskId }) => taskId).sort(), ['task-2', 'task-3']);
    assert.equal((await claimOne(store, 3_000)).taskId, 'task-1');
  });

  onStore(
    'a claim is for one sink of one Space, and of each that is owed something the first due is told',
    async (store) => {
      assert.deepEqual(await store.owedSinks(), []);
      const sinks = ['a', 'b', ODD, `${ODD}.`].flatMap((sink) => ['demo', 'other'].map((space) => ({ space, sink })));
      for (const [n, { space, sink }] of sinks.entries()) {
        for (const m of [2, 1, 3]) {
          await prepared(store, `task-${n}-${m}`, { space });
          await owe(store, `task-${n}-${m}`, sink, ['1', '2'], 2_000 + 10 * n + m);
        }
      }
      const byDue = async () => [...(await store.owedSinks())].sort((one, other) => one.dueAt - other.dueAt);
      assert.deepEqual(
        await byDue(),
        sinks.map((each, n) => ({ ...each, dueAt: 2_001 + 10 * n })),
      );
      for (const [n, each] of sinks.entries()) {
        const held = await store.claim({ ...each, now: 2_002 + 10 * n, until: 5_000 + n, limit: 10 });
        assert.deepEqual(held.map(({ taskId }) => taskId).sort(), [`task-${n}-1`, `task-${n}-2`]);
        assert.ok(held.every(({ space, sink }) => space === each.space && sink === each.sink));
      }
      assert.deepEqual(
        await byDue(),
        sinks.map((each, n) => ({ ...each, dueAt: 2_003 + 10 * n })),
      );
      for (const [n, each] of sinks.entries()) {
        const [last] = await store.claim({ ...each, now: 4_000, until: 9_000, limit: 10 });
        assert.equal(last?.taskId, `task-${n}-3`);
        await store.failed(last, { error: 'gone', now: 4_000 });
      }
      assert.deepEqual(
        await byDue(),
        sinks.map((each, n) => ({ ...each, dueAt: 5_000 + n })),
        'a dead queue is not alive',
      );
      for (const [space, sink] of [
        ['demo', 'c'],
        ['third', 'a'],
        ['', 'a'],
        ['a\0', 'a'],
      ] as const) {
        assert.deepEqual(await store.claim({ space, sink, now: 9_000, until: 9_001, limit: 10 }), []);
      }
    },
  );

  onStore('what a clock that was ahead put off is due; what it claimed is held all the same', async (store) => {
    const { putOffMs } = SPACE_STORE_LIMITS;
    const sink = { space: 'demo', sink: 's' };
    for (const n of [1, 2, 3]) {
      await prepared(store, `task-${n}`);
      await owe(store, `task-${n}`, 's', ['1', '2']);
    }
    const ahead = 2_000 + putOffMs;
    const [one, two, three] = await store.claim({ ...sink, now: ahead, until: ahead + 1_000, limit: 3 });
    assert.ok(one && two && three);
    await store.failed(one, { error: 'down', dueAt: ahead, now: ahead });
    await store.failed(two, { error: 'down', dueAt: ahead + 1, now: ahead });
    const given = await store.claim({ ...sink, now: 2_000, until: 3_000, limit: 3 });
    assert.deepEqual(
      given.map(({ id, attempts }) => [id, attempts]),
      [[two.id, 1]],
    );
    await store.release(three, 2_000);
    assert.deepEqual(
      (await store.claim({ ...sink, now: 2_000, until: 3_000, limit: 3 })).map(({ id }) => id),
      [three.id],
    );
    assert.deepEqual(
      (await store.claim({ ...sink, now: 2_001, until: 3_000, limit: 3 })).map(({ id }) => id),
      [],
    );
  });

  onStore('of claims that race each queue is given to one', async (store) => {
    const ids = Array.from({ length: 20 }, (_, n) => `task-${n}`);
    for (const id of ids) {
      await prepared(store, id);
      await owe(store, id, 's', ['1']);
    }
    const sink = { space: 'demo', sink: 's' };
    const claims = Array.from({ length: 8 }, () => store.claim({ ...sink, now: 2_000, until: 3_000, limit: 5 }));
    const given = (await Promise.all(claims)).flat();
    assert.equal(new Set(given.map(({ id }) => id)).size, given.length);
    const rest = await store.claim({ ...sink, now: 2_000, until: 3_000, limit: 20 });
    assert.deepEqual([...given, ...rest].map(({ taskId }) => taskId).sort(), [...ids].sort());
  });

  onStore('whoever lost its hold changes nothing, but for what was taken', async (store) => {
    await prepared(store, 'task-1');
    await owe(store, 'task-1', 's', ['1', '2', '3']);
    const lost = await claimOne(store, 2_000, 3_000);
    const [first] = await store.owed(lost.id, 1);
    const held = await claimOne(store, 3_000, 9_000);
    await store.release(lost, 3_000);
    await store.failed(lost, { error: 'late', dueAt: 3_000, now: 3_000 });
    await store.failed(lost, { error: 'late', now: 3_000 });
    assert.deepEqual(await duesOf(store, 8_999), []);
    assert.equal(await store.delivered(lost, first?.sequence ?? 0), false);
    assert.deepEqual(await payloadsOf(store, lost.id), ['2', '3']);
    assert.equal(await store.delivered(held, first?.sequence ?? 0), true);
    await store.failed(held, { error: 'down', dueAt: 9_500, now: 8_000 });
    // Nor does one that let go of it.
    await store.release(held, 8_000);
    assert.equal(await nextDue(store), 9_500);
    const again = await claimOne(store, 9_500);
    assert.deepEqual([again.attempts, again.lastError], [1, 'down']);
  });

  onStore('attempts are counted until something is taken', async (store) => {
    await prepared(store, 'task-1');
    await owe(store, 'task-1', 's', ['1', '2']);
    for (const attempts of [0, 1, 2]) {
      const queue = await claimOne(store, 3_000);
      assert.deepEqual([queue.attempts, queue.refusals], [attempts, Math.max(attempts - 1, 0)]);
      await store.failed(queue, { error: `down ${attempts}`, refused: attempts > 0, dueAt: 3_000, now: 3_000 });
    }
    const queue = await claimOne(store, 3_000);
    assert.deepEqual([queue.attempts, queue.refusals, queue.lastError], [3, 2, 'down 2']);
    const [first] = await store.owed(queue.id, 1);
    await store.delivered(queue, first?.sequence ?? 0);
    await store.release(queue, 3_000);
    const after = await claimOne(store, 3_000);
    assert.deepEqual([after.attempts, after.refusals, after.lastError], [0, 0, undefined]);
  });
}

function deadContract(onStore: OnSpaceStore): void {
  onStore('a dead queue keeps what it owes and what comes after, until it is replayed', async (store) => {
    await prepared(store, 'task-1');
    await owe(store, 'task-1', 's', ['1']);
    const held = await claimOne(store, 2_000);
    await store.failed(held, { error: 'gone', refused: true, now: 2_500 });
    await owe(store, 'task-1', 's', ['2'], 2_600);
    assert.equal(await nextDue(store), undefined);
    assert.deepEqual(await duesOf(store, 1_000_000), []);
    assert.deepEqual(await store.counts(), { dead: 1, owed: 2 });
    const { hold: _, ...queue } = held;
    const dead = { ...queue, attempts: 1, refusals: 1, lastError: 'gone', events: 2, diedAt: 2_500 };
    assert.deepEqual(await store.dead('demo', { limit: 10 }), { queues: [dead] });
    assert.deepEqual(await store.dead('other', { limit: 10 }), { queues: [] });
    assert.equal(await store.replay('other', held.id, 3_000), false);
    assert.equal(await store.replay('demo', held.id, 3_000), true);
    assert.equal(await store.replay('demo', held.id, 3_000), false);
    assert.equal(await nextDue(store), 3_000);
    assert.deepEqual(await store.counts(), { dead: 0, owed: 2 });
    const again = await claimOne(store, 3_000);
    assert.deepEqual([again.id, again.attempts, again.refusals, again.lastError], [held.id, 0, 0, undefined]);
    assert.deepEqual(await payloadsOf(store, again.id), ['1', '2']);
    // Whoever held it when it died holds nothing.
    await store.failed(held, { error: 'late', now: 3_000 });
    assert.deepEqual(await store.dead('demo', { limit: 10 }), { queues: [] });
  });

  onStore('dead queues are listed by their deaths, the oldest first, each once', async (store) => {
    const deaths = [5_000, 3_000, 3_000, 9_000];
    for (const [n, now] of deaths.entries()) {
      await prepared(store, `task-${n}`);
      await owe(store, `task-${n}`, 's', ['1']);
      await store.failed(await claimOne(store, 2_000), { error: 'gone', now });
    }
    for (const limit of [1, 2, 3, 4, 10]) {
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        assert.ok(ids.length < 10, 'the walk has an end');
        const page = await store.dead('demo', { limit, ...(cursor && { cursor }) });
        ids.push(...page.queues.map(({ taskId }) => taskId));
        cursor = page.cursor;
      } while (cursor !== undefined);
      assert.deepEqual(ids, ['task-1', 'task-2', 'task-0', 'task-3']);
    }
  });
}
