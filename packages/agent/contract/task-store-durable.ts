import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveTask } from '../src/task/live-task.ts';
import { artifact, assertStored, begin, finished, idsOf, move, PAUSED, type StoreKind, WORKING } from './task-work.ts';

/** What the next process finds. */
export function durableCases({ name, make, reopen }: StoreKind): void {
  if (reopen === undefined) return;

  test(`${name}: the next process finds every task, message and memory as they were`, async (t) => {
    const store = await make(t);
    const [ended, paused] = [await finished(store, { id: 'ended' }), await begin(store, { id: 'paused' })];
    paused.write({ artifact: artifact('a', 'text'), append: false });
    paused.note({ kind: 'ask', name: 'n', form: { kind: 'text', text: 'Who?' } });
    paused.remember({ b: 1, a: 2 });
    await move(store, paused, PAUSED);
    const next = await reopen(t, store);
    for (const task of [ended, paused]) await assertStored(next, task);
    assert.equal(JSON.stringify(await next.memory('', 'context-paused')), '{"b":1,"a":2}');
    const key = { messageId: 'message-paused', contextId: 'context-paused' };
    assert.equal(await next.ofMessage('', key), 'paused');
    assert.deepEqual(await next.orphans(), []);
    const record = await next.read('paused');
    assert.ok(record);
    const taken = new LiveTask(record);
    taken.write({ artifact: artifact('a', ' and more'), append: true });
    await move(next, taken, WORKING);
    await assertStored(next, taken);
  });

  test(`${name}: a walk goes on with the next process`, async (t) => {
    const store = await make(t);
    for (const id of ['a', 'b', 'c']) await finished(store, { id });
    const request = { owner: '', contextId: undefined, state: undefined, changedSince: undefined, pageSize: 1 };
    const token = (await store.list({ ...request, pageToken: undefined })).tokenAfter(0);
    const next = await reopen(t, store);
    await finished(next, { id: 'aa' });
    assert.deepEqual(idsOf((await next.list({ ...request, pageSize: 9, pageToken: token })).tasks), ['b', 'c']);
  });

  test(`${name}: what a process worked on when it went is nobody's until it is ended or taken up`, async (t) => {
    const store = await make(t);
    const submitted = await begin(store, { id: 'submitted' });
    const working = await begin(store, { id: 'working' });
    await move(store, working, WORKING);
    await move(store, await begin(store, { id: 'paused' }), PAUSED);
    await finished(store, { id: 'ended' });
    assert.deepEqual(await store.orphans(), []);
    const next = await reopen(t, store);
    await begin(next, { id: 'of the next' });
    const orphans = await next.orphans();
    assert.deepEqual(idsOf(orphans).toSorted(), ['submitted', 'working']);
    const [first] = orphans;
    assert.ok(first);
    await move(next, new LiveTask(first), 'TASK_STATE_FAILED');
    assert.equal((await next.orphans()).length, 1);
    assert.deepEqual([submitted.version, working.version], [1, 2]);
  });

  test(`${name}: what was asked for before the close is stored`, async (t) => {
    const store = await make(t);
    const task = await begin(store, { id: 't' });
    task.write({ artifact: artifact('a', 'last'), append: false });
    const commit = store.commit(task.change());
    const next = await reopen(t, store);
    await commit;
    await assertStored(next, task);
  });
}
