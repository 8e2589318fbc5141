import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StaleTask } from '../src/store/task-store.ts';
import { begin, finished, move, PAUSED, type StoreKind, WORKING } from './task-work.ts';

/** What is forgotten, and what is not. */
export function keepingCases({ name, make, keeps }: StoreKind): void {
  test(`${name}: of finished tasks the latest are kept, with all that belongs to them`, async (t) => {
    const store = await make(t);
    const running = await begin(store, { id: 'running' });
    const paused = await begin(store, { id: 'paused' });
    await move(store, paused, PAUSED);
    for (let n = 0; n < keeps.finishedTasks + 2; n += 1) await finished(store, { id: `t${n}` });
    const there = async (id: string) => (await store.read(id)) !== undefined;
    const wanted = ['t0', 't1', 't2', `t${keeps.finishedTasks + 1}`, 'running', 'paused'];
    assert.deepEqual(await Promise.all(wanted.map(there)), [false, false, true, true, true, true]);
    const of = (id: string) => store.ofMessage('', { messageId: `message-${id}`, contextId: `context-${id}` });
    assert.deepEqual(await Promise.all([of('t1'), of('t2')]), [undefined, 't2']);
    const listed = await store.list({
      owner: '',
      contextId: undefined,
      state: undefined,
      changedSince: undefined,
      pageSize: 1,
      pageToken: undefined,
    });
    assert.equal(listed.totalSize, keeps.finishedTasks + 2);
    await move(store, running, WORKING);
  });

  test(`${name}: of paused tasks the latest are kept, and one that was answered does not count`, async (t) => {
    const store = await make(t);
    const answered = await begin(store, { id: 'answered' });
    await move(store, answered, PAUSED);
    await move(store, answered, WORKING);
    const first = await begin(store, { id: 'first' });
    await move(store, first, PAUSED);
    for (let n = 0; n < keeps.pausedTasks; n += 1) await move(store, await begin(store, { id: `t${n}` }), PAUSED);
    assert.equal(await store.read('first'), undefined);
    assert.equal((await store.read('t0'))?.id, 't0');
    assert.equal((await store.read('answered'))?.id, 'answered');
    await assert.rejects(move(store, first, WORKING), StaleTask);
  });

  test(`${name}: of conversations those that spoke last are remembered`, async (t) => {
    const store = await make(t);
    const task = async (n: number) => {
      const each = await begin(store, { id: `t${n}`, contextId: `c${n}`, messageId: `m${n}` });
      each.remember(n);
      await move(store, each, 'TASK_STATE_FAILED');
    };
    for (let n = 0; n < keeps.contexts; n += 1) await task(n);
    const again = await begin(store, { id: 'again', contextId: 'c0', messageId: 'again' });
    again.remember('again');
    await move(store, again, 'TASK_STATE_FAILED');
    await task(keeps.contexts);
    assert.equal(await store.memory('', 'c0'), 'again');
    assert.equal(await store.memory('', 'c1'), undefined);
    assert.equal(await store.memory('', 'c2'), 2);
  });
}
