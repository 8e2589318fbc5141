import assert from 'node:assert/strict';
import { UnknownCursor } from '../src/ports/space/space-store.ts';
import type { PlatformState, PlatformTask } from '../src/ports/space/task-ledger.ts';
import { claimOne, ODD, type OnSpaceStore, payloadsOf, prepared, seen, task } from './space-store-samples.ts';

export function ledgerContract(onStore: OnSpaceStore): void {
  tasksContract(onStore);
  bindingContract(onStore);
  pagesContract(onStore);
  possessionsContract(onStore);
}

function tasksContract(onStore: OnSpaceStore): void {
  onStore('a prepared task is read as it was given', async (store) => {
    const given = task('task-1', { caller: ODD, versionId: ODD, createdAt: 5, updatedAt: 6 });
    assert.deepEqual(await store.prepareTask({ task: given }), { kind: 'prepared', task: given });
    assert.deepEqual(await store.task('task-1'), given);
    for (const id of ['task-2', '', 'task-1\0', '\ud800']) assert.equal(await store.task(id), undefined);
    await assert.rejects(store.prepareTask({ task: task('no id') }), TypeError);
  });

  onStore('a token that is used again is the same task, or a conflict when something else is asked', async (store) => {
    const idempotency = { token: ODD, requestSha256: 'aa' };
    const first = await store.prepareTask({ task: task('task-1'), idempotency });
    assert.equal(first.kind, 'prepared');
    await store.observe(seen('task-1', { state: 'working' }));
    assert.deepEqual(await store.prepareTask({ task: task('task-2'), idempotency }), {
      kind: 'repeated',
      task: { ...task('task-1'), state: 'working', updatedAt: 2_000 },
    });
    const other = { ...idempotency, requestSha256: 'bb' };
    assert.deepEqual(await store.prepareTask({ task: task('task-3'), idempotency: other }), { kind: 'conflict' });
    for (const id of ['task-2', 'task-3']) assert.equal(await store.task(id), undefined);
    // The tokens of others, and of other Spaces, are others.
    for (const fields of [{ caller: 'bob' }, { space: 'other' }]) {
      const answer = await store.prepareTask({ task: task(`task-${Object.keys(fields)[0]}`, fields), idempotency });
      assert.equal(answer.kind, 'prepared');
    }
  });

  onStore('one token many times at once is one task', async (store) => {
    const idempotency = { token: 't', requestSha256: 'aa' };
    const ids = Array.from({ length: 10 }, (_, n) => `task-${n}`);
    const answers = await Promise.all(ids.map((id) => store.prepareTask({ task: task(id), idempotency })));
    const kinds = answers.map(({ kind }) => kind).sort();
    assert.deepEqual(kinds, ['prepared', ...Array.from({ length: 9 }, () => 'repeated')]);
    assert.equal(new Set(answers.map((answer) => 'task' in answer && answer.task.id)).size, 1);
    assert.equal((await store.tasks('demo', { limit: 20 })).tasks.length, 1);
  });

  onStore('what was observed is recorded; times never go back', async (store) => {
    await prepared(store, 'task-1');
    const observe = (state: PlatformState | undefined, at: number) =>
      store.observe(seen('task-1', { ...(state && { state }), at }));
    assert.equal(await observe('submitted', 3_000), 'recorded');
    assert.equal(await observe('working', 2_500), 'recorded');
    assert.deepEqual(await store.task('task-1'), { ...task('task-1'), state: 'working', updatedAt: 3_000 });
    assert.equal(await observe(undefined, 4_000), 'recorded');
    assert.deepEqual(await store.task('task-1'), { ...task('task-1'), state: 'working', updatedAt: 4_000 });
  });

  for (const state of ['completed', 'failed', 'canceled', 'rejected'] as const) {
    onStore(`a task that is ${state} stays so, and nothing more is owed for it`, async (store) => {
      await prepared(store, 'task-1');
      const owed = [{ sink: 's', payload: '"end"' }];
      assert.equal(await store.observe(seen('task-1', { state, remoteTaskId: 'r', owed })), 'recorded');
      const kept = await store.task('task-1');
      for (const later of ['working', state, 'completed'] as const) {
        const again = seen('task-1', { state: later, at: 9_000, owed: [{ sink: 's', payload: '"late"' }] });
        assert.equal(await store.observe(again), 'settled');
      }
      // To name another task is a conflict all the same.
      assert.equal(await store.observe(seen('task-1', { remoteTaskId: 'other' })), 'conflict');
      assert.deepEqual(await store.task('task-1'), kept);
      assert.deepEqual(await payloadsOf(store, (await claimOne(store, 9_000)).id), ['"end"']);
    });
  }

  onStore('a task that is not there is a conflict', async (store) => {
    for (const id of ['task-9', 'no id']) assert.equal(await store.observe(seen(id)), 'conflict');
  });
}

function bindingContract(onStore: OnSpaceStore): void {
  onStore('what the agent calls its task and its context is written once', async (store) => {
    await prepared(store, 'task-1');
    const bound: Pick<PlatformTask, 'remoteTaskId' | 'remoteContextId'> = { remoteTaskId: ODD, remoteContextId: ODD };
    assert.equal(await store.observe(seen('task-1', { remoteContextId: ODD })), 'recorded');
    assert.equal(await store.observe(seen('task-1', { remoteTaskId: ODD })), 'recorded');
    assert.equal(await store.observe(seen('task-1', bound)), 'recorded');
    const kept = await store.task('task-1');
    assert.deepEqual(kept, { ...task('task-1'), ...bound, updatedAt: 2_000 });
    const owed = [{ sink: 's', payload: '{}' }];
    for (const other of [{ remoteTaskId: 'x' }, { remoteContextId: 'x' }, { ...bound, remoteContextId: 'x' }]) {
      const answer = await store.observe(seen('task-1', { ...other, state: 'failed', at: 9_000, owed }));
      assert.equal(answer, 'conflict');
    }
    assert.deepEqual(await store.task('task-1'), kept);
    assert.deepEqual(await store.counts(), { dead: 0, owed: 0 });
    assert.deepEqual(await store.taskOfRemote('demo', 'a', ODD), kept);
    for (const [space, id, remote] of [
      ['other', 'a', ODD],
      ['demo', 'b', ODD],
      ['demo', 'a', 'x'],
    ] as const) {
      assert.equal(await store.taskOfRemote(space, id, remote), undefined);
    }
  });

  onStore('a task of an agent is one platform task, whose it was first', async (store) => {
    for (const id of ['task-1', 'task-2']) await prepared(store, id);
    await prepared(store, 'task-3', { agent: 'b' });
    await prepared(store, 'task-4', { space: 'other' });
    assert.equal(await store.observe(seen('task-1', { remoteTaskId: 'r' })), 'recorded');
    const second = seen('task-2', { remoteTaskId: 'r', remoteContextId: 'c', state: 'working' });
    assert.equal(await store.observe(second), 'conflict');
    assert.deepEqual(await store.task('task-2'), task('task-2'));
    for (const id of ['task-3', 'task-4']) {
      assert.equal(await store.observe(seen(id, { remoteTaskId: 'r' })), 'recorded');
    }
    assert.equal((await store.taskOfRemote('demo', 'b', 'r'))?.id, 'task-3');
  });

  onStore('tasks that race for what an agent calls its task: one has it', async (store) => {
    const ids = Array.from({ length: 8 }, (_, n) => `task-${n}`);
    for (const id of ids) await prepared(store, id);
    const answers = await Promise.all(ids.map((id) => store.observe(seen(id, { remoteTaskId: 'r' }))));
    assert.equal(answers.filter((answer) => answer === 'recorded').length, 1);
    assert.equal((await store.taskOfRemote('demo', 'a', 'r'))?.id, ids[answers.indexOf('recorded')]);
  });
}

function pagesContract(onStore: OnSpaceStore): void {
  onStore('tasks are listed the newest first, of a Space and of a caller, each once', async (store) => {
    const times = [5, 3, 9, 3, 3, 7];
    for (const [n, createdAt] of times.entries()) {
      await prepared(store, `task-${n}`, { createdAt, caller: n % 2 === 0 ? 'ada' : 'bob' });
    }
    await prepared(store, 'task-other', { space: 'other' });
    const walk = async (limit: number, caller?: string) => {
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        assert.ok(ids.length < 10, 'the walk has an end');
        const page = await store.tasks('demo', { limit, ...(caller && { caller }), ...(cursor && { cursor }) });
        assert.ok(page.tasks.length <= limit);
        ids.push(...page.tasks.map(({ id }) => id));
        cursor = page.cursor;
      } while (cursor !== undefined);
      return ids;
    };
    const all = ['task-2', 'task-5', 'task-0', 'task-4', 'task-3', 'task-1'];
    for (const limit of [1, 2, 3, 6, 10]) {
      assert.deepEqual(await walk(limit), all);
      assert.deepEqual(await walk(limit, 'ada'), ['task-2', 'task-0', 'task-4']);
    }
    assert.deepEqual(await walk(10, 'eve'), []);
    assert.deepEqual((await store.tasks('no id', { limit: 1 })).tasks, []);
  });

  onStore('a cursor that no page ended with is refused', async (store) => {
    for (const cursor of ['', 'x', '1', '1.', '.a', '1.a b', `1.${'x'.repeat(300)}`, `${'9'.repeat(30)}.a`, '1.\0']) {
      await assert.rejects(store.tasks('demo', { cursor, limit: 1 }), UnknownCursor);
      await assert.rejects(store.dead('demo', { cursor, limit: 1 }), UnknownCursor);
    }
  });
}

function possessionsContract(onStore: OnSpaceStore): void {
  onStore('a context is the caller who had it first', async (store) => {
    const claim = { space: 'demo', agent: 'a', contextId: ODD, caller: 'ada' };
    assert.equal(await store.claimContext(claim), true);
    assert.equal(await store.claimContext(claim), true);
    assert.equal(await store.claimContext({ ...claim, caller: 'bob' }), false);
    for (const other of [{ space: 'other' }, { agent: 'b' }, { contextId: 'c' }]) {
      assert.equal(await store.claimContext({ ...claim, ...other, caller: 'bob' }), true);
    }
  });

  onStore('callers that race for a context: it is one of theirs', async (store) => {
    const claim = { space: 'demo', agent: 'a', contextId: 'c' };
    const callers = Array.from({ length: 8 }, (_, n) => `caller-${n}`);
    const answers = await Promise.all(callers.map((caller) => store.claimContext({ ...claim, caller })));
    assert.equal(answers.filter(Boolean).length, 1);
  });

  onStore('a permit is used once, however many try at once', async (store) => {
    const tries = Array.from({ length: 8 }, () => store.usePermit(ODD, 10_000, 1_000));
    assert.equal((await Promise.all(tries)).filter(Boolean).length, 1);
    assert.equal(await store.usePermit('other', 10_000, 1_000), true);
    assert.equal(await store.usePermit(ODD, 10_000, 10_001), false);
  });
}
