import assert from 'node:assert/strict';
import { aside, everythingOf, idsIn, message, newThread, type OnStore, T1, T2, T3 } from './store-samples.ts';

/** What is the same message again, and what is the same place. */
export function keysContract(onStore: OnStore): void {
  openKeysContract(onStore);
  acceptKeysContract(onStore);
  placesContract(onStore);
}

function openKeysContract(onStore: OnStore): void {
  onStore('open with a known key: the thread and turn of the first time, and nothing is written', async (store) => {
    await store.open(newThread(T1), message('m1'), { key: 'k' });
    const before = await everythingOf(store);
    const again = await store.open(newThread(T2), message('m2'), { key: 'k' });
    assert.deepEqual(again, { kind: 'repeated', thread: T1, turnId: 'turn-m1' });
    assert.deepEqual(await everythingOf(store), before);
    assert.equal(await store.timeline(T2), undefined);
  });

  onStore('open twice at once with one key: one thread, one turn', async (store) => {
    const answers = await Promise.all([
      store.open(newThread(T1), message('m1'), { key: 'k' }),
      store.open(newThread(T2), message('m2'), { key: 'k' }),
    ]);
    const kinds = answers.map(({ kind }) => kind).sort();
    assert.deepEqual(kinds, ['accepted', 'repeated']);
    const names = answers.map((answer) => (answer.kind === 'full' ? '' : `${answer.thread} ${answer.turnId}`));
    assert.equal(names[0], names[1]);
  });

  onStore('a message of several names is known by each of them', async (store) => {
    await store.open(newThread(T1), message('m1'), { key: ['k', 'l'] });
    const before = await everythingOf(store);
    for (const key of ['k', 'l', ['other', 'l']]) {
      const again = await store.open(newThread(T2), message('m2'), { key });
      assert.deepEqual(again, { kind: 'repeated', thread: T1, turnId: 'turn-m1' });
    }
    assert.deepEqual(await everythingOf(store), before);
    assert.equal((await store.open(newThread(T2), message('m2'), { key: 'other' })).kind, 'accepted');
    const said = [message('m3'), aside('m4'), aside('m5')];
    const [three, four, five] = said.map((each, index) =>
      store.accept(T1, each, { key: [['a', 'b'], ['b'], ['c', 'c']][index] ?? [] }),
    );
    assert.deepEqual(
      [(await three)?.kind, (await four)?.kind, (await five)?.kind],
      ['accepted', 'repeated', 'accepted'],
    );
  });

  onStore('a repeated message without a turn names none', async (store) => {
    await store.open(newThread(T1), aside('m1'), { key: 'k' });
    const again = await store.open(newThread(T2), message('m2'), { key: 'k' });
    assert.deepEqual(again, { kind: 'repeated', thread: T1 });
  });

  onStore("open's keys are a binding's", async (store) => {
    await store.open(newThread(T1), message('m1'), { key: 'k' });
    const other = await store.open(newThread(T2, 'research'), message('m1'), { key: 'k' });
    assert.ok(other.kind === 'accepted' && other.thread === T2);
    const keyless = await store.open(newThread(T3), message('m1'));
    assert.ok(keyless.kind === 'accepted' && keyless.thread === T3);
  });
}

function acceptKeysContract(onStore: OnStore): void {
  onStore('accept with a known key: the turn of the first time, and nothing is written', async (store) => {
    await store.open(newThread(T1), message('m1'));
    await store.accept(T1, message('m2'), { key: 'k' });
    const before = await everythingOf(store);
    const again = await store.accept(T1, message('m3'), { key: 'k' });
    assert.deepEqual(again, { kind: 'repeated', thread: T1, turnId: 'turn-m2' });
    assert.deepEqual(await everythingOf(store), before);
  });

  onStore('accept twice at once with one key: one entry', async (store) => {
    await store.open(newThread(T1), message('m1'));
    const answers = await Promise.all([
      store.accept(T1, message('m2'), { key: 'k' }),
      store.accept(T1, message('m3'), { key: 'k' }),
    ]);
    assert.deepEqual(answers.map(({ kind }) => kind).sort(), ['accepted', 'repeated']);
    assert.equal((await idsIn(store)).length, 2);
  });

  onStore("accept's keys are a thread's, and apart from open's", async (store) => {
    await store.open(newThread(T1), message('m1'), { key: 'k' });
    await store.open(newThread(T2), message('m1'));
    assert.equal((await store.accept(T1, message('m2'), { key: 'k' })).kind, 'accepted');
    assert.equal((await store.accept(T2, message('m2'), { key: 'k' })).kind, 'accepted');
    assert.deepEqual(await store.accept(T2, message('m3'), { key: 'k' }), {
      kind: 'repeated',
      thread: T2,
      turnId: 'turn-m2',
    });
  });
}

function placesContract(onStore: OnStore): void {
  onStore('open at a known place: the message is accepted into the thread there', async (store) => {
    const first = await store.open(newThread(T1), message('m1'), { place: 'p' });
    const second = await store.open(newThread(T2), message('m2'), { place: 'p', key: 'k' });
    assert.ok(first.kind === 'accepted' && second.kind === 'accepted');
    assert.ok(second.revision > first.revision);
    assert.deepEqual(second, { kind: 'accepted', thread: T1, turnId: 'turn-m2', revision: second.revision });
    assert.deepEqual(await idsIn(store), ['m1', 'm2']);
    assert.equal(await store.timeline(T2), undefined);
    const again = await store.open(newThread(T3), message('m3'), { place: 'p', key: 'k' });
    assert.deepEqual(again, { kind: 'repeated', thread: T1, turnId: 'turn-m2' });
  });

  onStore('open twice at once at one place: one thread with both messages', async (store) => {
    const answers = await Promise.all([
      store.open(newThread(T1), message('m1'), { place: 'p' }),
      store.open(newThread(T2), message('m2'), { place: 'p' }),
    ]);
    const threads = answers.map((answer) => (answer.kind === 'accepted' ? answer.thread : answer.kind));
    assert.deepEqual(threads, [T1, T1]);
    assert.deepEqual(await idsIn(store), ['m1', 'm2']);
  });

  onStore('places are a binding’s, and a thread without one is at none', async (store) => {
    await store.open(newThread(T1), message('m1'));
    const placed = await store.open(newThread(T2), message('m1'), { place: '' });
    const other = await store.open(newThread(T3, 'research'), message('m1'), { place: '' });
    assert.ok(placed.kind === 'accepted' && placed.thread === T2);
    assert.ok(other.kind === 'accepted' && other.thread === T3);
  });

  onStore('a known key goes before a place: the place stays unknown', async (store) => {
    await store.open(newThread(T1), message('m1'), { key: 'k' });
    const again = await store.open(newThread(T2), message('m2'), { key: 'k', place: 'p' });
    assert.equal(again.kind, 'repeated');
    const placed = await store.open(newThread(T3), message('m3'), { place: 'p' });
    assert.ok(placed.kind === 'accepted' && placed.thread === T3);
  });
}
