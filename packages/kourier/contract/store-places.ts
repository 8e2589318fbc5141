import assert from 'node:assert/strict';
import { aside, everythingOf, message, newThread, type OnStore, openClaimed, T1, T2, T3 } from './store-samples.ts';

/** Where threads are: `open` with a place, `addPlace`, `threadAt`, `placesOf`. */
export function placesContract(onStore: OnStore): void {
  openContract(onStore);
  addContract(onStore);
  takenContract(onStore);
}

function openContract(onStore: OnStore): void {
  onStore('a thread is found at the place that it was opened at, in its binding alone', async (store) => {
    assert.equal(await store.threadAt('ops', 'p'), undefined);
    await store.open(newThread(T1), message('m1'), { place: 'p' });
    await store.open(newThread(T2, 'research'), message('m2'), { place: 'p' });
    await store.open(newThread(T3), message('m3'));
    assert.equal(await store.threadAt('ops', 'p'), T1);
    assert.equal(await store.threadAt('research', 'p'), T2);
    for (const place of ['', 'P', 'p/', '__proto__', T1]) assert.equal(await store.threadAt('ops', place), undefined);
    assert.equal(await store.threadAt('other', 'p'), undefined);
    assert.deepEqual(await store.placesOf(T1), ['p']);
    assert.deepEqual(await store.placesOf(T3), []);
  });

  onStore('a message for a known place adds no place, and one that is refused makes none known', async (store) => {
    await store.open(newThread(T1), message('m1'), { key: 'k', place: 'p' });
    await store.open(newThread(T2), message('m2'), { place: 'p' });
    await store.open(newThread(T2), message('m2'), { key: 'k', place: 'q' });
    await assert.rejects(store.open(newThread(T1), message('m3'), { place: 'r' }));
    assert.deepEqual(await store.placesOf(T1), ['p']);
    assert.equal(await store.threadAt('ops', 'q'), undefined);
    assert.equal(await store.threadAt('ops', 'r'), undefined);
  });

  onStore('of a thread that is not there, there are no places', async (store) => {
    assert.deepEqual(await store.placesOf(T1), []);
  });
}

function addContract(onStore: OnStore): void {
  onStore('places come in the order in which they were added, the one of the opening first', async (store) => {
    await store.open(newThread(T1), message('m1'), { place: 'z' });
    await store.open(newThread(T2), message('m2'));
    assert.equal(await store.addPlace(T1, 'b'), 'added');
    assert.equal(await store.addPlace(T2, 'y'), 'added');
    const asked = ['a', 'c', ''].map((place) => store.addPlace(T1, place));
    assert.deepEqual(await Promise.all(asked), ['added', 'added', 'added']);
    assert.deepEqual(await store.placesOf(T1), ['z', 'b', 'a', 'c', '']);
    assert.deepEqual(await store.placesOf(T2), ['y']);
    for (const place of ['z', 'b', 'a', 'c', '']) assert.equal(await store.threadAt('ops', place), T1, place);
  });

  onStore('a place that the thread has already is added, once, and keeps its place among them', async (store) => {
    await store.open(newThread(T1), message('m1'), { place: 'p' });
    await store.addPlace(T1, 'q');
    assert.deepEqual(await Promise.all([store.addPlace(T1, 'p'), store.addPlace(T1, 'q')]), ['added', 'added']);
    assert.deepEqual(await store.placesOf(T1), ['p', 'q']);
  });

  onStore('open at a place that was added: the message is accepted into the thread there', async (store) => {
    await store.open(newThread(T1), message('m1'));
    await store.addPlace(T1, 'p');
    const accepted = await store.open(newThread(T2), message('m2'), { place: 'p' });
    assert.deepEqual(accepted, { kind: 'accepted', thread: T1, turnId: 'turn-m2', revision: 2 });
    assert.equal(await store.timeline(T2), undefined);
  });

  onStore('a place is no change of the thread: its revision and what it owes stay', async (store) => {
    await openClaimed(store);
    const before = await everythingOf(store);
    await store.addPlace(T1, 'p');
    assert.deepEqual(await everythingOf(store), { ...(before as object), places: ['p'] });
  });
}

function takenContract(onStore: OnStore): void {
  onStore(
    'a place of another thread of the binding is taken, however it came to it; nothing is written',
    async (store) => {
      await store.open(newThread(T1), message('m1'), { place: 'opened' });
      await store.open(newThread(T2), aside('m2'));
      await store.addPlace(T1, 'added');
      for (const place of ['opened', 'added']) {
        assert.equal(await store.addPlace(T2, place), 'taken');
        assert.equal(await store.threadAt('ops', place), T1);
      }
      assert.deepEqual(await store.placesOf(T2), []);
    },
  );

  onStore('two threads that ask for one place at once: the first has it', async (store) => {
    for (const id of [T1, T2]) await store.open(newThread(id), message('m1'));
    assert.deepEqual(await Promise.all([store.addPlace(T2, 'p'), store.addPlace(T1, 'p')]), ['added', 'taken']);
    assert.equal(await store.threadAt('ops', 'p'), T2);
  });

  onStore('the same place in another binding is free', async (store) => {
    await store.open(newThread(T1), message('m1'), { place: 'p' });
    await store.open(newThread(T2, 'research'), message('m2'));
    assert.equal(await store.addPlace(T2, 'p'), 'added');
    assert.deepEqual([await store.threadAt('ops', 'p'), await store.threadAt('research', 'p')], [T1, T2]);
  });

  onStore('a place for a thread that is not there rejects alone, and is free afterwards', async (store) => {
    await store.open(newThread(T1), message('m1'));
    const [bad, good] = await Promise.allSettled([store.addPlace(T2, 'p'), store.addPlace(T1, 'q')]);
    assert.equal(bad.status, 'rejected');
    assert.ok(good.status === 'fulfilled' && good.value === 'added');
    assert.equal(await store.threadAt('ops', 'p'), undefined);
    assert.equal(await store.addPlace(T1, 'p'), 'added');
  });
}
