import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StaleTask } from '../src/store/task-store.ts';
import { LiveTask } from '../src/task/live-task.ts';
import { durableCases } from './task-store-durable.ts';
import { keepingCases } from './task-store-keeping.ts';
import { listCases } from './task-store-list.ts';
import {
  artifact,
  assertStored,
  begin,
  COMPLETED,
  finished,
  move,
  newTask,
  PAUSED,
  type StoreKind,
  tryToBegin,
  WORKING,
} from './task-work.ts';

/** What every TaskStore promises. */
export function taskStoreContract(kind: StoreKind): void {
  beginCases(kind);
  commitCases(kind);
  artifactCases(kind);
  listCases(kind);
  keepingCases(kind);
  durableCases(kind);
}

function beginCases({ name, make }: StoreKind): void {
  test(`${name}: a message begins one task, however often it comes at once`, async (t) => {
    const store = await make(t);
    const tries = await Promise.all(
      Array.from({ length: 20 }, (_, n) => tryToBegin(store, newTask({ id: `t${n}`, contextId: 'c', messageId: 'm' }))),
    );
    const begun = tries.findIndex(({ kind }) => kind === 'begun');
    const others = tries.filter((_, n) => n !== begun);
    assert.deepEqual(others, Array(19).fill({ kind: 'known', taskId: `t${begun}` }));
    assert.equal((await store.read(`t${begun}`))?.id, `t${begun}`);
    assert.equal(await store.read(`t${begun === 0 ? 1 : 0}`), undefined);
  });

  test(`${name}: of several messages to a context at once one begins a task, and the others find it busy`, async (t) => {
    const store = await make(t);
    const tasks = Array.from({ length: 20 }, (_, n) => newTask({ id: `t${n}`, contextId: 'c' }));
    const kinds = (await Promise.all(tasks.map((task) => tryToBegin(store, task)))).map(({ kind }) => kind);
    assert.deepEqual(kinds.toSorted(), ['begun', ...Array(19).fill('busy')]);
  });

  test(`${name}: a context is busy until what runs in it has ended or paused, and one owner does not block another`, async (t) => {
    const store = await make(t);
    const first = await begin(store, { id: 'first', contextId: 'c', owner: 'ada' });
    const tryAgain = async (id: string) =>
      (await tryToBegin(store, newTask({ id, contextId: 'c', owner: 'ada' }))).kind;
    await move(store, first, WORKING);
    assert.equal(await tryAgain('second'), 'busy');
    await begin(store, { id: 'other', contextId: 'c', owner: 'bob' });
    await move(store, first, PAUSED);
    assert.equal(await tryAgain('second'), 'begun');
    // The paused one goes on beside it, and the context is busy for as long as one of them runs.
    await move(store, first, WORKING);
    await move(store, first, COMPLETED);
    assert.equal(await tryAgain('third'), 'busy');
  });

  test(`${name}: C131 a message is known under the key as sent, and in the context that it was given`, async (t) => {
    const store = await make(t);
    const task = newTask({ id: 't', owner: 'ada', contextId: 'given', messageId: 'm' });
    await store.begin(task.change(), { messageId: 'm', contextId: undefined });
    const of = (owner: string, contextId?: string) => store.ofMessage(owner, { messageId: 'm', contextId });
    assert.deepEqual(await Promise.all([of('ada'), of('ada', 'given')]), ['t', 't']);
    assert.deepEqual(
      await Promise.all([of('ada', 'other'), of('bob'), of('bob', 'given'), of('')]),
      Array(4).fill(undefined),
    );
    const again = newTask({ id: 'u', owner: 'ada', contextId: 'new', messageId: 'm' });
    const known = { kind: 'known', taskId: 't' };
    assert.deepEqual(await store.begin(again.change(), { messageId: 'm', contextId: undefined }), known);
    assert.equal(await store.read('u'), undefined);
  });

  test(`${name}: ids may be long and hold anything`, async (t) => {
    const store = await make(t);
    const odd = ['\0', '\u{1F600}', '\ud800', 'x'.repeat(1_024), '\u{1F600}'.repeat(512), '"\\', '%_'];
    for (const [n, id] of odd.entries()) {
      const task = newTask({ id: `t${n}`, owner: `o${id}`, contextId: `c${id}`, messageId: `m${id}` });
      task.write({ artifact: artifact(`a${id}`, id), append: false });
      task.write({ artifact: artifact(`a${id}`, id.repeat(2)), append: false });
      assert.deepEqual(await tryToBegin(store, task), { kind: 'begun' });
      await assertStored(store, task);
      assert.equal(await store.ofMessage(`o${id}`, { messageId: `m${id}`, contextId: `c${id}` }), `t${n}`);
      assert.equal(await store.read(id), undefined);
    }
    assert.equal(await store.ofMessage('o\ud801', { messageId: 'm\ud801', contextId: 'c\ud801' }), undefined);
  });
}

function commitCases({ name, make }: StoreKind): void {
  test(`${name}: a change to another version is refused and leaves no trace`, async (t) => {
    const store = await make(t);
    const task = await begin(store, { id: 't' });
    const record = await store.read('t');
    assert.ok(record);
    const behind = new LiveTask(record);
    task.remember('of the first');
    await move(store, task, WORKING);
    behind.write({ artifact: artifact('a', 'late'), append: false });
    behind.remember('of the second');
    await assert.rejects(async () => store.commit(behind.change()), StaleTask);
    assert.equal(await store.memory('', task.contextId), 'of the first');
    await assertStored(store, task);
    const unknown = newTask({ id: 'unknown' });
    await assert.rejects(async () => store.commit(unknown.change()), StaleTask);
    assert.equal(await store.read('unknown'), undefined);
  });

  test(`${name}: whoever was once behind is not taken for the one who is ahead, although the numbers meet`, async (t) => {
    const store = await make(t);
    await begin(store, { id: 't' });
    const record = await store.read('t');
    assert.ok(record);
    const [ahead, behind] = [new LiveTask(record), new LiveTask(record)];
    await move(store, ahead, COMPLETED);
    const late = [behind, behind].map(async (task) => store.commit(task.change()));
    const outcomes = await Promise.allSettled(late);
    assert.deepEqual(
      outcomes.map((one) => one.status === 'rejected' && one.reason.name),
      ['StaleTask', 'StaleTask'],
    );
    await assertStored(store, ahead);
  });

  test(`${name}: changes of one task are stored in the order of the calls, whoever waits`, async (t) => {
    const store = await make(t);
    const task = await begin(store, { id: 't' });
    const commits = Array.from({ length: 300 }, (_, n) => {
      task.write({ artifact: artifact('a', `${n} `), append: n > 0 });
      if (n % 10 === 0) task.converse({ messageId: `m${n}` });
      return store.commit(task.change());
    });
    await Promise.all(commits);
    await assertStored(store, task);
  });

  test(`${name}: what was given to be stored is what is stored, although the task goes on meanwhile`, async (t) => {
    const store = await make(t);
    const task = await begin(store, { id: 't' });
    task.write({ artifact: artifact('a', 'one '), append: false });
    const first = store.commit(task.change());
    task.write({ artifact: artifact('a', 'two'), append: true });
    task.converse({ messageId: 'later' });
    await first;
    await store.commit(task.change());
    await assertStored(store, task);
  });

  test(`${name}: changes of many tasks at once are all stored, and none fails for another`, async (t) => {
    const store = await make(t);
    const tasks = await Promise.all(Array.from({ length: 250 }, (_, n) => begin(store, { id: `t${n}` })));
    const record = await store.read('t0');
    assert.ok(record);
    const stale = new LiveTask(record);
    const outcomes = await Promise.allSettled([
      ...tasks.map((task) => move(store, task, WORKING)),
      (async () => store.commit(stale.change()))(),
    ]);
    assert.deepEqual(
      outcomes.filter(({ status }) => status === 'rejected').map((one) => (one as PromiseRejectedResult).reason.name),
      ['StaleTask'],
    );
    for (const task of tasks) await assertStored(store, task);
  });

  test(`${name}: the order of the keys of what was noted is kept`, async (t) => {
    const store = await make(t);
    const task = await begin(store, { id: 't' });
    const form = { zebra: 1, ape: { z: [{ b: 1, a: 2 }], a: null, '10': 'x', '9': 'y' }, long: 'x'.repeat(100_000) };
    task.note({ kind: 'ask', name: 'n', form });
    task.note({ kind: 'answer', value: [true, 'two', { b: 1, a: 2 }] });
    task.note({ kind: 'once', key: 'k', value: null });
    await move(store, task, PAUSED);
    await assertStored(store, task);
  });

  test(`${name}: a conversation is remembered as the last change said, for its owner`, async (t) => {
    const store = await make(t);
    const task = await begin(store, { id: 't', owner: 'ada', contextId: 'c' });
    assert.equal(await store.memory('ada', 'c'), undefined);
    for (const memory of [{ z: 1, a: ['\0', '\ud800'] }, null, 'last']) {
      task.remember(memory);
      await store.commit(task.change());
      assert.equal(JSON.stringify(await store.memory('ada', 'c')), JSON.stringify(memory));
    }
    assert.equal(await store.memory('bob', 'c'), undefined);
    assert.equal(await store.memory('ada', 'd'), undefined);
  });
}

function artifactCases({ name, make }: StoreKind): void {
  test(`${name}: the pieces of artifacts fold back to what was written`, async (t) => {
    const store = await make(t);
    const task = await begin(store, { id: 't' });
    const thought = { parts: [{ text: 'hm', metadata: { adk_thought: true } }] };
    const steps = [
      () => task.write({ artifact: artifact('a', 'He', { name: 'A', metadata: { z: 1, a: 2 } }), append: false }),
      () => task.write({ artifact: artifact('a', 'llo'), append: true }),
      () => task.write({ artifact: artifact('b', 'x', thought), append: true }),
      () => task.write({ artifact: artifact('a', '', { parts: [{ data: { b: [1, null] } }] }), append: true }),
      () => task.write({ artifact: artifact('a', '!', { parts: [{ raw: 'AAAA', mediaType: 'x/y' }] }), append: true }),
      () => task.write({ artifact: artifact('b', 'm', thought), append: true }),
      // A new revision takes the place of the old one, in front of what came after it.
      () =>
        task.write({ artifact: artifact('a', 'Bye', { metadata: { 'agentkourier.dev/revision': 2 } }), append: false }),
      () => task.write({ artifact: artifact('a', ' then'), append: true }),
      () => task.write({ artifact: artifact('c', 'last \0 \ud800'), append: false }),
      () => task.write({ artifact: artifact('b', '', { parts: [] }), append: false }),
    ];
    for (const step of steps) {
      step();
      await store.commit(task.change());
      await assertStored(store, task);
    }
    // All in one change, too.
    const whole = await begin(store, { id: 'whole' });
    const other = [artifact('b', 'x'), artifact('a', 'y'), artifact('b', 'z')];
    for (const each of other) whole.write({ artifact: each, append: false });
    await move(store, whole, COMPLETED);
    await assertStored(store, whole);
  });

  test(`${name}: 20,000 pieces cost what they bring`, async (t) => {
    const store = await make(t);
    const task = await begin(store, { id: 't' });
    const took: number[] = [];
    for (let part = 0; part < 10; part += 1) {
      const began = performance.now();
      for (let n = 0; n < 2_000; n += 1) {
        task.write({ artifact: artifact('a', `piece ${n} `), append: part + n > 0 });
        // As a turn is stored: from time to time.
        if (n % 64 === 63) await store.commit(task.change());
      }
      took.push(performance.now() - began);
    }
    await move(store, task, COMPLETED);
    await assertStored(store, task);
    const [early, late] = [took.slice(1, 5), took.slice(6)].map((some) => Math.min(...some));
    t.diagnostic(`2,000 pieces took ${early?.toFixed(0)} ms at first and ${late?.toFixed(0)} ms at last`);
    // Were each to copy what stands there, the last would cost several times the first.
    assert.ok((late ?? 0) < 4 * (early ?? 0) + 20);
  });

  test(`${name}: a task that nobody began is not there`, async (t) => {
    const store = await make(t);
    await finished(store, { id: 't' });
    assert.equal(await store.read('T'), undefined);
    assert.equal(await store.read(''), undefined);
    assert.deepEqual(await store.orphans(), []);
  });
}
