import assert from 'node:assert/strict';
import type { Entry } from '../src/core/thread/entry.ts';
import {
  answer,
  commit,
  entryId,
  everythingOf,
  idsIn,
  idsOf,
  message,
  newThread,
  type OnStore,
  openClaimed,
  T1,
  turnId,
} from './store-samples.ts';

/** What a commit writes. */
export function commitsContract(onStore: OnStore): void {
  orderContract(onStore);
  revisionContract(onStore);
  takenContract(onStore);
  valuesContract(onStore);
}

function orderContract(onStore: OnStore): void {
  onStore('new entries go to the end in their order; known ones are replaced where they stand', async (store) => {
    await openClaimed(store);
    await store.commit(commit({ entries: [answer('z'), answer('a')] }));
    await store.accept(T1, message('m2'));
    await store.commit(commit({ entries: [answer('b'), answer('z', 'longer'), answer('0')] }));
    assert.deepEqual(await idsIn(store), ['m1', 'z', 'a', 'm2', 'b', '0']);
    const entries = (await store.timeline(T1))?.entries ?? [];
    assert.deepEqual(entries[1], answer('z', 'longer'));
    assert.deepEqual(entries[2], answer('a'));
  });

  onStore('an entry that stands twice in a commit is one, as it was last', async (store) => {
    await openClaimed(store);
    await store.commit(commit({ entries: [answer('a', 'one'), answer('b'), answer('a', 'two')] }));
    const entries = (await store.timeline(T1))?.entries ?? [];
    assert.deepEqual(entries.slice(1), [answer('a', 'two'), answer('b')]);
  });

  onStore('commits that are asked for together are written in the order in which they were asked', async (store) => {
    await openClaimed(store);
    const ids = Array.from({ length: 20 }, (_, index) => `a${index}`);
    const done = await Promise.all(
      ids.map((id) => store.commit(commit({ entries: [answer(id), answer('last', id)] }))),
    );
    assert.deepEqual(await idsIn(store), ['m1', 'a0', 'last', ...ids.slice(1)]);
    const revisions = done.map((committed) => (committed.kind === 'committed' ? committed.revision : -1));
    assert.deepEqual(
      revisions,
      [...revisions].sort((one, other) => one - other),
    );
    assert.deepEqual((await store.timeline(T1))?.entries[2], answer('last', 'a19'));
  });
}

function revisionContract(onStore: OnStore): void {
  onStore('the revision grows by one with every commit and accepted message', async (store) => {
    const opened = await store.open(newThread(T1), message('m1'));
    await store.claim(T1, { owner: 'a', untilMs: 1_000 }, 0);
    const committed = await store.commit(commit({ entries: [answer('a1')] }));
    const accepted = await store.accept(T1, message('m2'));
    const empty = await store.commit(commit());
    assert.ok(opened.kind === 'accepted' && committed.kind === 'committed');
    assert.ok(accepted.kind === 'accepted' && empty.kind === 'committed');
    const revisions = [opened.revision, committed.revision, accepted.revision, empty.revision];
    assert.deepEqual(revisions, [1, 2, 3, 4]);
    assert.equal((await store.timeline(T1))?.revision, empty.revision);
  });
}

function takenContract(onStore: OnStore): void {
  onStore('taken messages are pending no longer, and stay in the timeline', async (store) => {
    await openClaimed(store);
    await store.accept(T1, message('m2'));
    await store.accept(T1, message('m3'));
    await store.commit(commit({ taken: [entryId('m2'), entryId('m1')] }));
    assert.deepEqual(await store.pending(T1), [message('m3')]);
    assert.deepEqual(await idsIn(store), ['m1', 'm2', 'm3']);
  });

  onStore('taking what is not pending is no harm', async (store) => {
    await openClaimed(store);
    const taken = [entryId('m1'), entryId('m1'), entryId('never')];
    assert.equal((await store.commit(commit({ taken }))).kind, 'committed');
    assert.equal((await store.commit(commit({ taken }))).kind, 'committed');
    assert.deepEqual(idsOf(await store.pending(T1)), []);
  });

  onStore('a message that was accepted after a commit was made stays pending', async (store) => {
    await openClaimed(store);
    await Promise.all([store.accept(T1, message('m2')), store.commit(commit({ taken: [entryId('m1')] }))]);
    assert.deepEqual(idsOf(await store.pending(T1)), ['m2']);
  });
}

function valuesContract(onStore: OnStore): void {
  onStore('values come back as they were written, and are not shared with the caller', async (store) => {
    await openClaimed(store);
    const args = { deep: [{ list: [1, -0.5, 1e300, null, true, ''] }], '': 'empty', text: '\ud800\u0000' };
    const step: Entry = {
      kind: 'step',
      id: entryId('s1'),
      turnId: turnId('turn-m1'),
      name: 'x',
      args: JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}'),
      state: 'done',
      result: args,
    };
    const expected = structuredClone(step);
    const entries = [step];
    const taken = [entryId('m1')];
    const committing = store.commit(commit({ entries, taken }));
    args.text = 'changed by the caller';
    entries.length = 0;
    taken.length = 0;
    await committing;
    assert.deepEqual(await store.pending(T1), []);
    assert.deepEqual((await store.timeline(T1))?.entries[1], expected);
    const [, read] = (await store.timeline(T1))?.entries ?? [];
    Object.assign(read ?? {}, { name: 'changed by the reader' });
    assert.deepEqual((await store.timeline(T1))?.entries[1], expected);
  });

  onStore('a value that is no plain JSON rejects alone, says nothing of it, and nothing is written', async (store) => {
    await openClaimed(store);
    const before = await everythingOf(store);
    const loop: Record<string, unknown> = { secretName: 1 };
    loop['secretName'] = loop;
    const bad: Entry = { ...answer('a1'), kind: 'step', name: 'x', state: 'done', args: loop };
    const committing = store.commit(commit({ entries: [answer('a0'), bad], taken: [entryId('m1')] }));
    await assert.rejects(committing, (error: Error) => !/secret/.test(`${error.stack} ${error.cause}`));
    assert.deepEqual(await everythingOf(store), before);
  });
}
