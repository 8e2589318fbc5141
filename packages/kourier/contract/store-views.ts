import assert from 'node:assert/strict';
import type { ThreadStatus } from '../src/core/thread/entry.ts';
import {
  answer,
  aside,
  commit,
  entryId,
  idsOf,
  lease,
  message,
  newThread,
  type OnStore,
  openClaimed,
  T1,
  T2,
  T3,
} from './store-samples.ts';

/** What is read: `timeline`, `changes`, `owing`. */
export function viewsContract(onStore: OnStore): void {
  statusContract(onStore);
  changesContract(onStore);
  owingContract(onStore);
}

function statusContract(onStore: OnStore): void {
  onStore("the status is the last commit's", async (store) => {
    await openClaimed(store);
    for (const status of ['running', 'waiting', 'queued', 'idle'] satisfies ThreadStatus[]) {
      await store.commit(commit({ status, taken: [entryId('m1')] }));
      assert.equal((await store.timeline(T1))?.status, status);
    }
  });

  onStore('idle is queued while a message with a turn is pending, and with no other', async (store) => {
    await openClaimed(store);
    const status = async () => (await store.timeline(T1))?.status;
    assert.equal(await status(), 'queued');
    await store.commit(commit());
    assert.equal(await status(), 'queued');
    await store.commit(commit({ status: 'running' }));
    assert.equal(await status(), 'running');
    await store.commit(commit({ taken: [entryId('m1')] }));
    assert.equal(await status(), 'idle');
    await store.accept(T1, aside('m2'));
    assert.equal(await status(), 'idle');
    await store.accept(T1, message('m3'));
    assert.equal(await status(), 'queued');
  });
}

function changesContract(onStore: OnStore): void {
  onStore('changes are the entries that appeared or changed after a revision, in order', async (store) => {
    await openClaimed(store);
    const first = await store.commit(commit({ entries: [answer('a1'), answer('a2'), answer('a3')] }));
    assert.ok(first.kind === 'committed');
    await store.commit(commit({ entries: [answer('a3', 'new'), answer('a1', 'new')] }));
    await store.accept(T1, message('m2'));
    const changed = await store.changes(T1, first.revision);
    assert.deepEqual(idsOf(changed?.entries ?? []), ['a1', 'a3', 'm2']);
    assert.deepEqual(changed?.entries[0], answer('a1', 'new'));
    const timeline = await store.timeline(T1);
    assert.ok(timeline);
    assert.deepEqual(changed, { ...timeline, entries: changed?.entries });
  });

  onStore('changes after 0 are all, after the newest revision none', async (store) => {
    await openClaimed(store);
    await store.commit(commit({ entries: [answer('a1')] }));
    const timeline = await store.timeline(T1);
    assert.ok(timeline);
    assert.deepEqual(await store.changes(T1, 0), timeline);
    assert.deepEqual(await store.changes(T1, timeline.revision), { ...timeline, entries: [] });
    const before = await store.changes(T1, timeline.revision - 1);
    assert.deepEqual(idsOf(before?.entries ?? []), ['a1']);
  });

  onStore('of a thread that is not there, there is nothing to see', async (store) => {
    await openClaimed(store);
    assert.equal(await store.timeline(T2), undefined);
    assert.equal(await store.changes(T2, 0), undefined);
    assert.deepEqual(await store.pending(T2), []);
  });
}

function owingContract(onStore: OnStore): void {
  onStore('a thread owes while its commits say so, or while a message with a turn is pending', async (store) => {
    await openClaimed(store);
    const owes = async () => (await store.owing(10)).length === 1;
    assert.ok(await owes());
    await store.commit(commit({ taken: [entryId('m1')], owes: true }));
    assert.ok(await owes());
    await store.accept(T1, aside('m2'));
    assert.ok(await owes());
    await store.commit(commit({ owes: false }));
    assert.ok(!(await owes()));
    await store.accept(T1, aside('m3'));
    assert.ok(!(await owes()));
    await store.accept(T1, message('m4'));
    assert.ok(await owes());
    await store.commit(commit({ owes: false }));
    assert.ok(await owes());
  });

  onStore('owing threads come oldest debt first, whoever holds them, and no more than the limit', async (store) => {
    assert.deepEqual(await store.owing(10), []);
    for (const id of [T2, T1, T3]) await store.open(newThread(id), message('m1'));
    assert.deepEqual(await store.owing(10), [T2, T1, T3]);
    for (const id of [T1, T2]) await store.claim(id, lease('a', 1_000), 0);
    await store.commit(commit({ thread: { id: T2, binding: 'ops' }, taken: [entryId('m1')] }));
    await store.commit(commit({ taken: [entryId('m1')], owes: true }));
    assert.deepEqual(await store.owing(10), [T1, T3]);
    await store.accept(T2, message('m2'));
    assert.deepEqual(await store.owing(10), [T1, T3, T2]);
    assert.deepEqual(await store.owing(2), [T1, T3]);
    assert.deepEqual(await store.owing(0), []);
  });
}
