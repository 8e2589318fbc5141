import assert from 'node:assert/strict';
import { SPACE_STORE_LIMITS } from '../src/ports/space/limits.ts';
import type { SpaceStore } from '../src/ports/space/space-store.ts';
import { claimOne, type OnSpaceStore, owe, payloadsOf, prepared, seen, task } from './space-store-samples.ts';

const { settledTaskMs, unsettledTaskMs, tokenMs, spentPermitMs, deadQueueMs } = SPACE_STORE_LIMITS;

/** Prepares so many tasks then that the store looks for what is too old. */
async function sweepAt(store: SpaceStore, now: number): Promise<void> {
  const times = { createdAt: now, updatedAt: now };
  const ids = Array.from({ length: SPACE_STORE_LIMITS.preparedBetweenSweeps }, (_, n) => `later-${now}-${n}`);
  await Promise.all(ids.map((id) => prepared(store, id, { ...times, space: 'later' })));
}

export function keepingContract(onStore: OnSpaceStore): void {
  onStore('a task is forgotten with all of it when its time is over, and not before', async (store) => {
    for (const id of ['task-ended', 'task-open']) {
      const idempotency = { token: id, requestSha256: 'aa' };
      await store.prepareTask({ task: task(id), idempotency });
      await store.observe(seen(id, { remoteTaskId: id, ...(id === 'task-ended' && { state: 'completed' }) }));
    }
    const kept = async () => (await store.tasks('demo', { limit: 10 })).tasks.map(({ id }) => id);
    await sweepAt(store, 2_000 + settledTaskMs - 1);
    assert.deepEqual(await kept(), ['task-open', 'task-ended']);
    await sweepAt(store, 2_000 + settledTaskMs);
    assert.deepEqual(await kept(), ['task-open']);
    assert.equal(await store.task('task-ended'), undefined);
    assert.equal(await store.taskOfRemote('demo', 'a', 'task-ended'), undefined);
    await sweepAt(store, 2_000 + unsettledTaskMs - 1);
    assert.deepEqual(await kept(), ['task-open']);
    await sweepAt(store, 2_000 + unsettledTaskMs);
    assert.deepEqual(await kept(), []);
    // What the agent called it is free again.
    await prepared(store, 'task-new');
    assert.equal(await store.observe(seen('task-new', { remoteTaskId: 'task-ended' })), 'recorded');
  });

  onStore('a token is forgotten when its time is over, and not before', async (store) => {
    const idempotency = { token: 't', requestSha256: 'aa' };
    const kindOf = async (id: string) => (await store.prepareTask({ task: task(id), idempotency })).kind;
    assert.equal(await kindOf('task-1'), 'prepared');
    await sweepAt(store, 1_000 + tokenMs - 1);
    assert.equal(await kindOf('task-2'), 'repeated');
    await sweepAt(store, 1_000 + tokenMs);
    assert.equal(await kindOf('task-3'), 'prepared');
    assert.ok(await store.task('task-1'));
  });

  onStore('a task is kept while events of it are owed, and a dead queue until its time is over', async (store) => {
    await prepared(store, 'task-1');
    await owe(store, 'task-1', 's', ['{}']);
    await store.observe(seen('task-1', { state: 'completed' }));
    await store.failed(await claimOne(store, 2_000), { error: 'gone', now: 3_000 });
    await sweepAt(store, 3_000 + deadQueueMs - 1);
    assert.ok(await store.task('task-1'));
    assert.equal((await store.counts()).dead, 1);
    await sweepAt(store, 3_000 + deadQueueMs);
    assert.deepEqual(await store.counts(), { dead: 0, owed: 0 });
    await sweepAt(store, 3_001 + deadQueueMs);
    assert.equal(await store.task('task-1'), undefined);
  });

  onStore('a used permit is remembered beyond its end, since clocks differ', async (store) => {
    assert.equal(await store.usePermit('jti', 1_000, 500), true);
    await store.usePermit('other', 1_000 + spentPermitMs, 999 + spentPermitMs);
    assert.equal(await store.usePermit('jti', 1_000, 500), false);
    await store.usePermit('third', 9_000 + spentPermitMs, 1_000 + spentPermitMs);
    // Nobody takes it for good any more; that it may be used again shows that it was forgotten.
    assert.equal(await store.usePermit('jti', 1_000, 500), true);
  });

  onStore('a queue that owes too much keeps the first and the last', async (store) => {
    const { queueEvents } = SPACE_STORE_LIMITS;
    await prepared(store, 'task-1');
    const all = Array.from({ length: queueEvents + 5 }, (_, n) => `${n}`);
    for (let from = 0; from < all.length; from += 100) {
      const owed = all.slice(from, from + 100).map((payload) => ({ sink: 's', payload }));
      await store.observe(seen('task-1', { owed }));
    }
    const { id } = await claimOne(store, 2_000);
    const kept = await payloadsOf(store, id);
    assert.deepEqual(kept, [...all.slice(0, queueEvents - 1), `${queueEvents + 4}`]);
    assert.deepEqual(await store.counts(), { dead: 0, owed: queueEvents });
  });
}
