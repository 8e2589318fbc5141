import assert from 'node:assert/strict';
import type { Delivery, Store } from '../src/ports/store.ts';
import {
  answer,
  aside,
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

/** How far threads have been shown: `delivery`, `deliver`, `undelivered`. */
export function deliveriesContract(onStore: OnStore): void {
  valuesContract(onStore);
  refusedContract(onStore);
  undeliveredContract(onStore);
  orderContract(onStore);
}

function valuesContract(onStore: OnStore): void {
  onStore('a thread has no delivery before the first, and then the last that was written', async (store) => {
    assert.equal(await store.delivery(T1), undefined);
    await openClaimed(store);
    assert.equal(await store.delivery(T1), undefined);
    for (const delivery of [upTo(0, null), upTo(1, 'intent'), upTo(1, { ref: 'r' }), upTo(0, 'back'), upTo(9)]) {
      await store.deliver(T1, delivery);
      assert.deepEqual(await store.delivery(T1), delivery);
    }
    await store.open(newThread(T2), message('m2'));
    assert.equal(await store.delivery(T2), undefined);
  });

  onStore('deliveries that are asked for together: the last asked for stands', async (store) => {
    await openClaimed(store);
    await Promise.all(Array.from({ length: 20 }, (_, index) => store.deliver(T1, upTo(20 - index, index))));
    assert.deepEqual(await store.delivery(T1), upTo(1, 19));
  });

  onStore('any state comes back as it was, and is not shared with the caller', async (store) => {
    await openClaimed(store);
    const odd = JSON.parse('{"__proto__": 1, "": [null, -0.5, "\\ud800\\u0000\\u2028"]}');
    const delivery = upTo(1, { posts: [{ key: 'k', odd }], text: 'x'.repeat(100_000) });
    const expected = structuredClone(delivery);
    const delivering = store.deliver(T1, delivery);
    Object.assign(delivery, { revision: 7 });
    Object.assign(delivery.state as object, { posts: 'changed by the caller' });
    await delivering;
    assert.deepEqual(await store.delivery(T1), expected);
    Object.assign((await store.delivery(T1)) ?? {}, { state: 'changed by the reader' });
    assert.deepEqual(await store.delivery(T1), expected);
    assert.deepEqual(await store.undelivered('web', 10), []);
  });

  onStore(
    'a delivery is no change of the thread: its revision, entries and what it owes the turn stay',
    async (store) => {
      await openClaimed(store);
      const before = await everythingOf(store);
      await store.deliver(T1, upTo(1));
      assert.deepEqual(await everythingOf(store), { ...(before as object), delivery: upTo(1), undelivered: [] });
      assert.deepEqual(await store.accept(T1, aside('m2')), { kind: 'accepted', thread: T1, revision: 2 });
    },
  );
}

function refusedContract(onStore: OnStore): void {
  onStore('a delivery of a thread that is not there rejects alone, and nothing is written', async (store) => {
    await store.open(newThread(T1), message('m1'));
    const [bad, good] = await Promise.allSettled([store.deliver(T2, upTo(1)), store.deliver(T1, upTo(1))]);
    assert.deepEqual([bad.status, good.status], ['rejected', 'fulfilled']);
    assert.deepEqual(await store.delivery(T1), upTo(1));
    await store.open(newThread(T2), message('m2'));
    assert.equal(await store.delivery(T2), undefined);
    assert.deepEqual(await store.undelivered('web', 10), [T2]);
  });

  onStore('a state that is no plain JSON rejects, says nothing of it, and nothing is written', async (store) => {
    await openClaimed(store);
    await store.deliver(T1, upTo(0, 'before'));
    const loop: Record<string, unknown> = { secretName: 1 };
    loop['secretName'] = loop;
    await assert.rejects(
      store.deliver(T1, upTo(1, loop)),
      (error: Error) => !/secret/.test(`${error.stack} ${error.cause}`),
    );
    assert.deepEqual(await store.delivery(T1), upTo(0, 'before'));
    assert.deepEqual(await store.undelivered('web', 10), [T1]);
  });
}

function undeliveredContract(onStore: OnStore): void {
  onStore('a thread is undelivered until a delivery comes up to its revision, and again after', async (store) => {
    await openClaimed(store);
    assert.ok(await isUndelivered(store));
    await store.deliver(T1, upTo(0));
    assert.ok(await isUndelivered(store));
    await store.deliver(T1, upTo(1));
    assert.ok(!(await isUndelivered(store)));
    await store.commit(commit({ entries: [answer('a1')], taken: [entryId('m1')] }));
    assert.ok(await isUndelivered(store));
    await store.deliver(T1, upTo(2));
    await store.accept(T1, aside('m2'));
    assert.ok(await isUndelivered(store));
    await store.deliver(T1, upTo(2, 'more'));
    assert.ok(await isUndelivered(store));
    await store.deliver(T1, upTo(3));
    assert.ok(!(await isUndelivered(store)));
    await store.deliver(T1, upTo(2));
    assert.ok(await isUndelivered(store));
  });

  onStore('what writes nothing to a thread makes it undelivered by nothing', async (store) => {
    await store.open(newThread(T1), message('m1'), { key: 'k' });
    await store.deliver(T1, upTo(1));
    await store.open(newThread(T2), message('m2'), { key: 'k' });
    await store.commit(commit({ owner: 'b' }));
    await store.claim(T1, lease('a', 1_000), 0);
    await store.addPlace(T1, 'p');
    await store.release(T1, 'a');
    assert.ok(!(await isUndelivered(store)));
  });

  onStore('a delivery ahead of its thread waits until the thread is past it', async (store) => {
    await openClaimed(store);
    await store.deliver(T1, upTo(2));
    await store.accept(T1, aside('m2'));
    assert.ok(!(await isUndelivered(store)));
    await store.accept(T1, aside('m3'));
    assert.ok(await isUndelivered(store));
  });

  onStore("a platform's threads are its own, as it was when they were opened", async (store) => {
    await store.open(newThread(T1, 'ops', 'chat'), message('m1'), { place: 'p' });
    await store.open(newThread(T2, 'ops', 'web'), message('m2'));
    await store.open(newThread(T3, 'research', 'chat'), message('m3'));
    assert.deepEqual(await store.undelivered('chat', 10), [T1, T3]);
    assert.deepEqual(await store.undelivered('web', 10), [T2]);
    assert.deepEqual(await store.undelivered('', 10), []);
    await store.deliver(T1, upTo(1));
    await store.open(newThread(T2, 'ops', 'web'), message('m4'), { place: 'p' });
    assert.deepEqual(await store.undelivered('chat', 10), [T3, T1]);
    assert.deepEqual(await store.undelivered('web', 10), [T2]);
  });
}

function orderContract(onStore: OnStore): void {
  onStore('undelivered threads come oldest debt first, and no more than the limit', async (store) => {
    assert.deepEqual(await store.undelivered('web', 10), []);
    for (const id of [T2, T1, T3]) await store.open(newThread(id), message('m1'));
    assert.deepEqual(await store.undelivered('web', 10), [T2, T1, T3]);
    assert.deepEqual(await store.undelivered('web', 2), [T2, T1]);
    assert.deepEqual(await store.undelivered('web', 0), []);
    await store.deliver(T2, upTo(1));
    assert.deepEqual(await store.undelivered('web', 10), [T1, T3]);
    await store.accept(T2, message('m2'));
    assert.deepEqual(await store.undelivered('web', 10), [T1, T3, T2]);
  });

  onStore('a thread that goes on owing keeps its place, whatever is written and delivered meanwhile', async (store) => {
    for (const id of [T1, T2, T3]) await store.open(newThread(id), message('m1'));
    await store.claim(T1, lease('a', 1_000), 0);
    await store.commit(commit({ entries: [answer('a1')], taken: [entryId('m1')] }));
    await store.deliver(T1, upTo(1));
    await store.accept(T1, aside('m2'));
    await store.deliver(T1, upTo(2));
    assert.deepEqual(await store.undelivered('web', 10), [T1, T2, T3]);
  });

  onStore('the order is that of this debt alone: what is owed to turns has its own', async (store) => {
    for (const id of [T1, T2]) await store.open(newThread(id), message('m1'));
    await store.deliver(T1, upTo(1));
    await store.accept(T1, aside('m2'));
    assert.deepEqual(await store.owing(10), [T1, T2]);
    assert.deepEqual(await store.undelivered('web', 10), [T2, T1]);
  });
}

function upTo(revision: number, state: unknown = {}): Delivery {
  return { revision, state };
}

async function isUndelivered(store: Store): Promise<boolean> {
  return (await store.undelivered('web', 10)).includes(T1);
}
