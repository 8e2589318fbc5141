import assert from 'node:assert/strict';
import type { AuditQuery, Store } from '../src/ports/store.ts';
import {
  answer,
  auditRecord,
  commit,
  entryId,
  everythingOf,
  lease,
  message,
  newThread,
  type OnStore,
  openClaimed,
  T1,
  T2,
  T3,
} from './store-samples.ts';

/** What is decided and never changed: a commit's `audit`, `Store.audit`; and where a request stands: `threadOf`. */
export function auditContract(onStore: OnStore): void {
  recordsContract(onStore);
  refusedContract(onStore);
  pagesContract(onStore);
  threadOfContract(onStore);
}

function recordsContract(onStore: OnStore): void {
  onStore('audit records come newest first, whole, numbered by one from 1', async (store) => {
    assert.deepEqual(await store.audit({ limit: 10 }), []);
    await openClaimed(store);
    await store.commit(commit({ audit: [auditRecord('r1'), auditRecord('r2', { decision: 'denied' })] }));
    await store.commit(commit());
    await store.commit(commit({ audit: [] }));
    const { messageId: _, ...silent } = auditRecord('r3', { decision: 'expired', actor: { id: 'agent-kourier' } });
    await store.commit(commit({ audit: [silent] }));
    assert.deepEqual(await store.audit({ limit: 10 }), [
      { ...silent, number: 3 },
      { ...auditRecord('r2', { decision: 'denied' }), number: 2 },
      { ...auditRecord('r1'), number: 1 },
    ]);
  });

  onStore('an audit record that is written again is another one: none is replaced', async (store) => {
    await openClaimed(store);
    const numbered = { ...auditRecord('r1', { decision: 'denied' }), number: 1 };
    await store.commit(commit({ audit: [auditRecord('r1')] }));
    await store.commit(commit({ audit: [auditRecord('r1'), numbered] }));
    const records = await store.audit({ limit: 10 });
    assert.deepEqual(
      records.map(({ number, decision }) => [number, decision]),
      [
        [3, 'denied'],
        [2, 'approved'],
        [1, 'approved'],
      ],
    );
  });

  onStore('any arguments come back as they were, and are not shared with the caller', async (store) => {
    await openClaimed(store);
    const args = { text: '\ud800\u0000\u2028"', deep: [{ list: [1, -0.5, null] }], ...JSON.parse('{"__proto__": 1}') };
    const record = auditRecord('r1', { tools: [{ id: 'c1', name: 'apply', args }], answers: [['', '\u{1f600}'], []] });
    const expected = structuredClone(record);
    const audit = [record];
    const committing = store.commit(commit({ audit }));
    args.text = 'changed by the caller';
    audit.length = 0;
    await committing;
    const read = async () => (await store.audit({ limit: 1 }))[0];
    assert.deepEqual(await read(), { ...expected, number: 1 });
    Object.assign((await read()) ?? {}, { decision: 'changed by the reader' });
    assert.deepEqual(await read(), { ...expected, number: 1 });
  });
}

function refusedContract(onStore: OnStore): void {
  onStore('a lost commit adds nothing to the audit', async (store) => {
    await openClaimed(store);
    await store.claim(T1, lease('b', 9_000), 1_000);
    assert.deepEqual(await store.commit(commit({ audit: [auditRecord('r1')] })), { kind: 'lost' });
    assert.deepEqual(await store.audit({ limit: 10 }), []);
    await store.release(T1, 'b');
    assert.deepEqual(await store.commit(commit({ owner: 'b', audit: [auditRecord('r1')] })), { kind: 'lost' });
    assert.deepEqual(await store.audit({ limit: 10 }), []);
  });

  onStore('a commit and its audit are one: where a record cannot be written, nothing is', async (store) => {
    await openClaimed(store);
    await store.commit(commit({ audit: [auditRecord('r1')] }));
    const before = await everythingOf(store);
    const loop: Record<string, unknown> = { secretName: 1 };
    loop['secretName'] = loop;
    const bad = auditRecord('r3', { tools: [{ id: 'c1', name: 'x', args: loop }] });
    const committing = store.commit(commit({ entries: [answer('a1')], audit: [auditRecord('r2'), bad] }));
    await assert.rejects(committing, (error: Error) => !/secret/.test(`${error.stack} ${error.cause}`));
    assert.deepEqual(await everythingOf(store), before);
    await store.commit(commit({ audit: [auditRecord('r2')] }));
    assert.deepEqual(await numbersOf(store), [2, 1]);
  });
}

function pagesContract(onStore: OnStore): void {
  onStore('the audit is read page by page, each record once, whatever is added meanwhile', async (store) => {
    await openClaimed(store);
    await store.commit(commit({ audit: ['r1', 'r2', 'r3', 'r4', 'r5'].map((id) => auditRecord(id)) }));
    assert.deepEqual(await numbersOf(store, { limit: 2 }), [5, 4]);
    await store.commit(commit({ audit: [auditRecord('r6')] }));
    assert.deepEqual(await numbersOf(store, { limit: 2, before: 4 }), [3, 2]);
    assert.deepEqual(await numbersOf(store, { limit: 2, before: 2 }), [1]);
    assert.deepEqual(await numbersOf(store, { limit: 2, before: 1 }), []);
    assert.deepEqual(await numbersOf(store, { limit: 0 }), []);
    assert.deepEqual(await numbersOf(store, { limit: 10, before: 1_000_000 }), [6, 5, 4, 3, 2, 1]);
  });

  onStore("the audit of one thread is that thread's alone, and numbers are the store's", async (store) => {
    await openClaimed(store);
    await store.open(newThread(T2), message('m2'));
    await store.claim(T2, lease('a', 1_000), 0);
    const inSecond = { thread: { id: T2, binding: 'ops' } };
    await store.commit(commit({ audit: [auditRecord('r1')] }));
    await store.commit(commit({ ...inSecond, audit: [auditRecord('r2', { thread: T2 })] }));
    await store.commit(commit({ audit: [auditRecord('r3')] }));
    assert.deepEqual(await numbersOf(store, { limit: 10, thread: T1 }), [3, 1]);
    assert.deepEqual(await numbersOf(store, { limit: 10, thread: T2 }), [2]);
    assert.deepEqual(await numbersOf(store, { limit: 10, thread: T3 }), []);
    assert.deepEqual(await numbersOf(store, { limit: 1, thread: T1, before: 3 }), [1]);
  });
}

function threadOfContract(onStore: OnStore): void {
  onStore('every entry, of a message or of a commit, stands in its thread', async (store) => {
    await openClaimed(store);
    await store.open(newThread(T2), message('m2'));
    await store.accept(T2, message('m3'));
    await store.commit(commit({ entries: [answer('a1')], taken: [entryId('m1')] }));
    await store.commit(commit({ entries: [answer('a1', 'more')] }));
    const found = await Promise.all(['m1', 'm2', 'm3', 'a1'].map((id) => store.threadOf(entryId(id))));
    assert.deepEqual(found, [T1, T2, T2, T1]);
  });

  onStore('an entry that was never written stands in no thread', async (store) => {
    await openClaimed(store);
    for (const id of ['a1', '', T1, 'turn-m1', '__proto__', 'constructor']) {
      assert.equal(await store.threadOf(entryId(id)), undefined, id);
    }
    await store.commit(commit({ owner: 'b', entries: [answer('a1')] }));
    assert.equal(await store.threadOf(entryId('a1')), undefined);
  });

  onStore('of two threads with an entry of the same id, it stands in the first', async (store) => {
    for (const id of [T2, T1]) await store.open(newThread(id), message('m1'));
    assert.equal(await store.threadOf(entryId('m1')), T2);
  });
}

async function numbersOf(store: Store, query: AuditQuery = { limit: 10 }): Promise<readonly number[]> {
  return (await store.audit(query)).map(({ number }) => number);
}
