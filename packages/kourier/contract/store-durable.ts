import assert from 'node:assert/strict';
import type { Store } from '../src/ports/store.ts';
import {
  answer,
  aside,
  auditRecord,
  commit,
  entryId,
  everythingOf,
  lease,
  message,
  newThread,
  openClaimed,
  T1,
  T2,
  T3,
} from './store-samples.ts';

/** One test on one folder: each call opens the store in it. */
export type OnFolder = (what: string, body: (open: () => Promise<Store>) => Promise<void>) => void;

/** What a store keeps that outlives its process. */
export function durableContract(onFolder: OnFolder): void {
  onFolder('a store that is opened again sees all', async (open) => {
    const before = await open();
    await openClaimed(before);
    await before.accept(T1, aside('m2'), { key: 'k' });
    const written = commit({ status: 'waiting', owes: true, entries: [answer('a1')], taken: [entryId('m1')] });
    await before.commit(written);
    await before.open(newThread(T2), message('m1'), { key: 'k', place: 'p' });
    const seen = [await everythingOf(before, T1), await everythingOf(before, T2)];
    const revision = (await before.timeline(T1))?.revision ?? 0;
    await before.close();

    const after = await open();
    assert.deepEqual([await everythingOf(after, T1), await everythingOf(after, T2)], seen);
    const claimed = await after.claim(T1, lease('b', 9_000), 5_000);
    const pending = [aside('m2')];
    assert.deepEqual(claimed, { kind: 'claimed', thread: written.thread, pending, revision });
    assert.deepEqual(await after.accept(T1, message('m3'), { key: 'k' }), { kind: 'repeated', thread: T1 });
    const again = await after.open(newThread(T3), message('m3'), { key: 'k' });
    assert.deepEqual(again, { kind: 'repeated', thread: T2, turnId: 'turn-m1' });
    const placed = await after.open(newThread(T3), message('m3'), { place: 'p' });
    assert.ok(placed.kind === 'accepted' && placed.thread === T2);
    const next = await after.commit({ ...written, owner: 'b', entries: [answer('a1', 'more'), answer('a2')] });
    assert.ok(next.kind === 'committed' && next.revision > revision);
    const changed = await after.changes(T1, revision);
    assert.deepEqual(changed?.entries, [answer('a1', 'more'), answer('a2')]);
    await after.close();
  });

  onFolder('the order of debts outlives the process', async (open) => {
    const before = await open();
    for (const id of [T3, T1]) await before.open(newThread(id), message('m1'));
    await before.close();
    const after = await open();
    await after.open(newThread(T2), message('m1'));
    assert.deepEqual(await after.owing(10), [T3, T1, T2]);
    await after.close();
  });

  onFolder('places, deliveries and the order of what is undelivered outlive the process', async (open) => {
    const before = await open();
    for (const id of [T3, T1, T2]) await before.open(newThread(id), message('m1'), { place: id });
    await before.addPlace(T1, 'b');
    await before.addPlace(T1, 'a');
    await before.deliver(T1, { revision: 0, state: { intent: ['x'] } });
    await before.deliver(T2, { revision: 1, state: null });
    await before.close();
    const after = await open();
    assert.deepEqual(await after.placesOf(T1), [T1, 'b', 'a']);
    assert.deepEqual([await after.threadAt('ops', 'a'), await after.threadAt('ops', T2)], [T1, T2]);
    assert.equal(await after.addPlace(T2, 'b'), 'taken');
    assert.deepEqual(await after.delivery(T1), { revision: 0, state: { intent: ['x'] } });
    assert.deepEqual(await after.delivery(T2), { revision: 1, state: null });
    assert.equal(await after.delivery(T3), undefined);
    assert.deepEqual(await after.undelivered('web', 10), [T3, T1]);
    await after.accept(T2, message('m2'));
    assert.deepEqual(await after.undelivered('web', 10), [T3, T1, T2]);
    await after.close();
  });

  onFolder('the audit and its numbers outlive the process', async (open) => {
    const before = await open();
    await openClaimed(before);
    await before.commit(commit({ entries: [answer('a1')], audit: [auditRecord('r1'), auditRecord('r2')] }));
    await before.close();
    const after = await open();
    assert.equal(await after.threadOf(entryId('a1')), T1);
    await after.claim(T1, lease('a', 1_000), 0);
    await after.commit(commit({ audit: [auditRecord('r3')] }));
    const records = ['r3', 'r2', 'r1'].map((id, index) => ({ ...auditRecord(id), number: 3 - index }));
    assert.deepEqual(await after.audit({ limit: 10 }), records);
    await after.close();
  });

  onFolder('what was asked for before a close is there after it', async (open) => {
    const before = await open();
    const asked = before.open(newThread(T1), message('m1'));
    await before.close();
    assert.equal((await asked).kind, 'accepted');
    const after = await open();
    assert.deepEqual(await after.pending(T1), [message('m1')]);
    await after.close();
  });
}
