import assert from 'node:assert/strict';
import {
  answer,
  aside,
  commit,
  entryId,
  everythingOf,
  idsIn,
  lease,
  message,
  newThread,
  type OnStore,
  openClaimed,
  T1,
  T2,
  T3,
} from './store-samples.ts';

/** Who works on a thread: `claim`, `extend`, `release`, and a commit without the lease. */
export function leasesContract(onStore: OnStore): void {
  claimContract(onStore);
  takeoverContract(onStore);
  extendContract(onStore);
  releaseContract(onStore);
}

function claimContract(onStore: OnStore): void {
  onStore('a thread that no commit has written is idle and without a context when claimed', async (store) => {
    const opened = await store.open(newThread(T1), message('m1'));
    assert.ok(opened.kind === 'accepted');
    assert.deepEqual(await store.claim(T1, lease('a', 1_000), 0), {
      kind: 'claimed',
      thread: { id: T1, binding: 'ops' },
      pending: [message('m1')],
      revision: opened.revision,
    });
  });

  onStore('claim gives the thread as the last commit wrote it, and what is pending still', async (store) => {
    await openClaimed(store);
    await store.accept(T1, aside('m2'));
    const written = commit({ taken: [entryId('m1')], status: 'running', owes: true });
    const committed = await store.commit(written);
    assert.ok(committed.kind === 'committed');
    assert.deepEqual(await store.claim(T1, lease('a', 2_000), 0), {
      kind: 'claimed',
      thread: written.thread,
      pending: [aside('m2')],
      revision: committed.revision,
    });
  });

  onStore('claim of a thread that is not there: missing', async (store) => {
    assert.deepEqual(await store.claim(T1, lease('a', 1_000), 0), { kind: 'missing' });
  });

  onStore('a lease is held against others until its time, and not beyond', async (store) => {
    await openClaimed(store);
    assert.deepEqual(await store.claim(T1, lease('b', 5_000), 999), { kind: 'held', untilMs: 1_000 });
    assert.equal((await store.claim(T1, lease('b', 5_000), 1_000)).kind, 'claimed');
    assert.deepEqual(await store.claim(T1, lease('a', 5_000), 1_000), { kind: 'held', untilMs: 5_000 });
  });

  onStore("taking one's own lease again extends it", async (store) => {
    await openClaimed(store);
    assert.equal((await store.claim(T1, lease('a', 3_000), 500)).kind, 'claimed');
    assert.deepEqual(await store.claim(T1, lease('b', 9_000), 2_999), { kind: 'held', untilMs: 3_000 });
  });

  onStore('two claims at once: one has it', async (store) => {
    await store.open(newThread(T1), message('m1'));
    const claims = await Promise.all([
      store.claim(T1, lease('a', 1_000), 0),
      store.claim(T1, lease('b', 1_000), 0),
      store.claim(T1, lease('c', 1_000), 0),
    ]);
    assert.deepEqual(claims.map(({ kind }) => kind).sort(), ['claimed', 'held', 'held']);
  });
}

function takeoverContract(onStore: OnStore): void {
  onStore('a commit under a lease that was taken over is lost, and writes nothing', async (store) => {
    await openClaimed(store);
    await store.claim(T1, lease('b', 9_000), 1_000);
    const before = await everythingOf(store);
    const late = commit({ entries: [answer('a1')], taken: [entryId('m1')], status: 'waiting' });
    assert.deepEqual(await store.commit(late), { kind: 'lost' });
    assert.deepEqual(await everythingOf(store), before);
    const claimed = await store.claim(T1, lease('b', 9_000), 1_000);
    assert.deepEqual(claimed.kind === 'claimed' && claimed.thread, { id: T1, binding: 'ops' });
  });

  onStore('a commit under a lease that ran out, but that nobody took, is written', async (store) => {
    await openClaimed(store);
    await store.extend(lease('a', 1));
    assert.equal((await store.commit(commit({ entries: [answer('a1')] }))).kind, 'committed');
    assert.deepEqual(await idsIn(store), ['m1', 'a1']);
  });

  onStore('a commit without a lease, or to a thread that is not there, is lost', async (store) => {
    assert.deepEqual(await store.commit(commit()), { kind: 'lost' });
    assert.equal(await store.timeline(T1), undefined);
    await store.open(newThread(T1), message('m1'));
    assert.deepEqual(await store.commit(commit({ entries: [answer('a1')] })), { kind: 'lost' });
    assert.deepEqual(await idsIn(store), ['m1']);
  });
}

function extendContract(onStore: OnStore): void {
  onStore("extend is for every lease of an owner, and nobody else's", async (store) => {
    for (const id of [T1, T2, T3]) await store.open(newThread(id), message('m1'));
    await store.claim(T1, lease('a', 1_000), 0);
    await store.claim(T2, lease('a', 1_500), 0);
    await store.claim(T3, lease('b', 1_000), 0);
    await store.extend(lease('a', 7_000));
    assert.deepEqual(await store.claim(T1, lease('c', 9_000), 2_000), { kind: 'held', untilMs: 7_000 });
    assert.deepEqual(await store.claim(T2, lease('c', 9_000), 2_000), { kind: 'held', untilMs: 7_000 });
    assert.equal((await store.claim(T3, lease('c', 9_000), 2_000)).kind, 'claimed');
  });

  onStore('extend does not bring back what was taken over', async (store) => {
    await openClaimed(store);
    await store.claim(T1, lease('b', 2_000), 1_000);
    await store.extend(lease('a', 9_000));
    assert.deepEqual(await store.claim(T1, lease('a', 9_000), 1_500), { kind: 'held', untilMs: 2_000 });
  });
}

function releaseContract(onStore: OnStore): void {
  onStore('a thread that is given back can be claimed at once, and its old owner commits no more', async (store) => {
    await openClaimed(store);
    await store.release(T1, 'a');
    assert.deepEqual(await store.commit(commit({ entries: [answer('a1')] })), { kind: 'lost' });
    assert.equal((await store.claim(T1, lease('b', 1_000), 0)).kind, 'claimed');
    assert.deepEqual(await idsIn(store), ['m1']);
  });

  onStore("release of what is another's, nobody's or not there does nothing", async (store) => {
    await openClaimed(store);
    await store.open(newThread(T2), message('m1'));
    for (const other of ['b', 'A', '']) await store.release(T1, other);
    await store.release(T2, 'a');
    await store.release(T3, 'a');
    assert.deepEqual(await store.claim(T1, lease('b', 2_000), 0), { kind: 'held', untilMs: 1_000 });
  });
}
