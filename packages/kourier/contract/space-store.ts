import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { directoryContract } from './space-directory.ts';
import { directoryStories } from './space-directory-model.ts';
import { ledgerContract } from './space-ledger.ts';
import { keepingContract } from './space-ledger-keeping.ts';
import { outboxContract } from './space-outbox.ts';
import { outboxStories } from './space-outbox-model.ts';
import {
  agent,
  claimAll,
  claimOne,
  onSpaceStore,
  owe,
  payloadsOf,
  prepared,
  revision,
  type SpaceStoreKind,
  saved,
  seen,
  task,
} from './space-store-samples.ts';

/** What every store of a Space must do: the sentences of `ports/space/`. */
export function spaceStoreContract(kind: SpaceStoreKind): void {
  describe(`space store contract: ${kind.name}`, () => {
    const onStore = onSpaceStore(kind);
    directoryContract(onStore);
    directoryStories(kind);
    ledgerContract(onStore);
    keepingContract(onStore);
    outboxContract(onStore);
    outboxStories(kind);
    closeContract(kind);
    durableContract(kind);
  });
}

function closeContract(kind: SpaceStoreKind): void {
  test('close resolves when what was asked for before is done', async (t) => {
    const store = await kind.make(t);
    const asked = [
      store.saveAgent(agent('a'), undefined),
      store.prepareTask({ task: task('task-1') }),
      store.usePermit('jti', 10_000, 1_000),
    ] as const;
    await store.close();
    const [agentAnswer, taskAnswer, first] = await Promise.all(asked);
    assert.ok(agentAnswer !== 'stale');
    assert.equal(taskAnswer.kind, 'prepared');
    assert.equal(first, true);
  });

  test('after close every method rejects, and closing again is no harm', async (t) => {
    const store = await kind.make(t);
    const kept = await saved(store, agent('a'));
    const hold = { id: '1', space: 'demo', sink: 's', taskId: 'task-1', attempts: 0, refusals: 0, hold: 1 };
    await store.close();
    const asks: (() => Promise<unknown>)[] = [
      () => store.agent('demo', 'a'),
      () => store.saveAgent(agent('a'), kept),
      () => store.removeAgent(kept),
      () => store.changes(0, 1),
      () => store.revisions('demo', 'a', { limit: 1 }),
      () => store.revision('demo', 'a', 1),
      () => store.prepareTask({ task: task('task-1') }),
      () => store.observe(seen('task-1')),
      () => store.task('task-1'),
      () => store.taskOfRemote('demo', 'a', 'r'),
      () => store.claimContext({ space: 'demo', agent: 'a', contextId: 'c', caller: 'ada' }),
      () => store.tasks('demo', { limit: 1 }),
      () => store.usePermit('jti', 10_000, 1_000),
      () => store.owedSinks(),
      () => store.claim({ space: 'demo', sink: 's', now: 0, until: 1, limit: 1 }),
      () => store.owed('1', 1),
      () => store.delivered(hold, 1),
      () => store.release(hold, 0),
      () => store.failed(hold, { error: 'e', now: 0 }),
      () => store.dead('demo', { limit: 1 }),
      () => store.replay('demo', '1', 0),
      () => store.counts(),
    ];
    for (const ask of asks) await assert.rejects(async () => ask(), /not open/);
    await store.close();
  });
}

function durableContract(kind: SpaceStoreKind): void {
  test('a store that is opened again has all that it had', async (t) => {
    const store = await kind.make(t);
    const kept = await saved(store, agent('a', { current: revision(1) }));
    await saved(store, agent('b'));
    await prepared(store, 'task-1');
    await owe(store, 'task-1', 'sink', ['"1"', '"2"']);
    await store.claimContext({ space: 'demo', agent: 'a', contextId: 'c', caller: 'ada' });
    await store.usePermit('jti', 10_000, 1_000);
    const held = await claimOne(store, 2_000, 5_000);
    const again = await kind.reopen(t, store);
    assert.deepEqual(await again.agent('demo', 'a'), kept);
    assert.equal((await again.changes(0, 10)).length, 2);
    assert.ok((await saved(again, agent('c'))).sequence > kept.sequence + 1);
    const claim = { space: 'demo', agent: 'a', contextId: 'c' };
    assert.equal(await again.claimContext({ ...claim, caller: 'bob' }), false);
    assert.equal(await again.usePermit('jti', 10_000, 1_000), false);
    if (kind.shared) {
      assert.deepEqual(await claimAll(again, { now: 4_999, until: 9_000, limit: 1 }), []);
      assert.equal((await claimOne(again, 5_000)).id, held.id);
    } else {
      assert.equal((await claimOne(again, 2_000)).id, held.id);
    }
    assert.deepEqual(await payloadsOf(again, held.id), ['"1"', '"2"']);
  });
}
