import assert from 'node:assert/strict';
import { LIMITS } from '../src/core/limits.ts';
import { messageEntry } from '../src/core/thread/message.ts';
import type { Store } from '../src/ports/store.ts';
import {
  aside,
  commit,
  entryId,
  everythingOf,
  idsIn,
  idsOf,
  lease,
  message,
  newThread,
  type OnStore,
  openClaimed,
  T1,
  T2,
} from './store-samples.ts';

/** How messages come in: `open`, `accept`, `pending`, and what is full. */
export function messagesContract(onStore: OnStore): void {
  openContract(onStore);
  acceptContract(onStore);
  fullContract(onStore);
  borderContract(onStore);
}

function openContract(onStore: OnStore): void {
  onStore('open makes a thread with its first message', async (store) => {
    const first = message('m1', { untrusted: 'alert fields', traceId: 'f'.repeat(32) });
    const accepted = await store.open(newThread(T1), first);
    assert.ok(accepted.kind === 'accepted');
    assert.ok(accepted.revision > 0);
    assert.deepEqual(accepted, { kind: 'accepted', thread: T1, turnId: 'turn-m1', revision: accepted.revision });
    const { revision } = accepted;
    const timeline = { id: T1, binding: 'ops', status: 'queued', entries: [messageEntry(first)], revision };
    assert.deepEqual(await store.timeline(T1), timeline);
    assert.deepEqual(await store.pending(T1), [first]);
  });

  onStore('a message without a turn is pending, and its acceptance names no turn', async (store) => {
    const accepted = await store.open(newThread(T1), aside('m1'));
    assert.ok(accepted.kind === 'accepted');
    assert.deepEqual(accepted, { kind: 'accepted', thread: T1, revision: accepted.revision });
    assert.deepEqual(await store.pending(T1), [aside('m1')]);
  });

  onStore('a message of a trigger has no actor', async (store) => {
    const { actor: _, ...triggered } = message('m1');
    await store.open(newThread(T1), triggered);
    assert.deepEqual(await store.pending(T1), [triggered]);
    assert.deepEqual((await store.timeline(T1))?.entries, [messageEntry(triggered)]);
  });

  onStore('open with the id of a thread that exists rejects, and nothing is written', async (store) => {
    await store.open(newThread(T1), message('m1'));
    const before = await everythingOf(store);
    await assert.rejects(store.open(newThread(T1), message('m2'), { key: 'k', place: 'p' }));
    assert.deepEqual(await everythingOf(store), before);
    const again = await store.open(newThread(T2), message('m2'), { key: 'k', place: 'p' });
    assert.ok(again.kind === 'accepted' && again.thread === T2);
  });
}

function acceptContract(onStore: OnStore): void {
  onStore('accept puts messages at the end of the timeline and of what is pending', async (store) => {
    await openClaimed(store);
    const second = await store.accept(T1, aside('m2'));
    const third = await store.accept(T1, message('m3'));
    assert.ok(second.kind === 'accepted' && third.kind === 'accepted');
    assert.deepEqual(third, { kind: 'accepted', thread: T1, turnId: 'turn-m3', revision: third.revision });
    assert.ok(third.revision > second.revision);
    assert.deepEqual(await idsIn(store), ['m1', 'm2', 'm3']);
    assert.deepEqual(await store.pending(T1), [message('m1'), aside('m2'), message('m3')]);
    assert.equal((await store.timeline(T1))?.revision, third.revision);
  });

  onStore('accept keeps the order in which it was asked, also within one moment', async (store) => {
    await openClaimed(store);
    const ids = Array.from({ length: 20 }, (_, index) => `later-${index}`);
    await Promise.all(ids.map((id) => store.accept(T1, message(id))));
    assert.deepEqual(await idsIn(store), ['m1', ...ids]);
    assert.deepEqual(idsOf(await store.pending(T1)), ['m1', ...ids]);
  });

  onStore('accept into a thread that is not there: missing', async (store) => {
    assert.deepEqual(await store.accept(T1, message('m1'), { key: 'k' }), { kind: 'missing' });
    assert.deepEqual(await store.pending(T1), []);
    assert.equal(await store.timeline(T1), undefined);
  });

  onStore('an entry id that the thread has already rejects alone, and nothing of it is written', async (store) => {
    await openClaimed(store);
    const before = await store.timeline(T1);
    const [bad, good] = await Promise.allSettled([
      store.accept(T1, message('m1'), { key: 'bad' }),
      store.accept(T1, message('m2'), { key: 'good' }),
    ]);
    assert.equal(bad.status, 'rejected');
    assert.ok(good.status === 'fulfilled' && good.value.kind === 'accepted');
    assert.equal(good.value.revision, (before?.revision ?? 0) + 1);
    assert.deepEqual(await idsIn(store), ['m1', 'm2']);
    const retried = await store.accept(T1, message('m3'), { key: 'bad' });
    assert.equal(retried.kind, 'accepted');
  });
}

function fullContract(onStore: OnStore): void {
  onStore('full: past the limit of messages that wait for their turn, nothing is written', async (store) => {
    await fill(store);
    const before = await everythingOf(store);
    assert.deepEqual(await store.accept(T1, message('more'), { key: 'k' }), { kind: 'full' });
    assert.deepEqual(await store.open(newThread(T2), message('more'), { place: 'p' }), { kind: 'full' });
    assert.deepEqual(await everythingOf(store), before);
    assert.equal(await store.timeline(T2), undefined);
  });

  onStore('asides fill no thread: past their limit the oldest waits no longer, and stays to be seen', async (store) => {
    await store.open(newThread(T1), message('m1'));
    const asides = Array.from({ length: LIMITS.pendingAsides }, (_, count) => `aside-${count}`);
    for (const id of [...asides, 'late']) assert.equal((await store.accept(T1, aside(id))).kind, 'accepted');
    assert.equal((await store.accept(T1, message('m2'))).kind, 'accepted');
    const waiting = (await store.pending(T1)).map(({ id }) => String(id));
    assert.deepEqual(waiting, ['m1', ...asides.slice(1), 'late', 'm2']);
    assert.deepEqual(await idsIn(store), ['m1', ...asides, 'late', 'm2']);
  });

  onStore('an aside is taken in a full thread too', async (store) => {
    await fill(store);
    assert.equal((await store.accept(T1, aside('more'))).kind, 'accepted');
    assert.equal((await store.accept(T1, message('more-2'))).kind, 'full');
  });

  onStore('full is not for good: a commit that takes one makes room, and the key was not used up', async (store) => {
    await fill(store);
    await store.accept(T1, message('more'), { key: 'k' });
    await store.claim(T1, lease('a', 1_000), 0);
    await store.commit(commit({ taken: [entryId('fill-0')] }));
    assert.equal((await store.accept(T1, message('more'), { key: 'k' })).kind, 'accepted');
    assert.equal((await store.accept(T1, message('more-2'))).kind, 'full');
  });

  onStore('a repeated key is repeated also where the thread is full', async (store) => {
    await fill(store);
    const repeated = await store.accept(T1, message('more'), { key: 'first' });
    assert.deepEqual(repeated, { kind: 'repeated', thread: T1, turnId: 'turn-fill-1' });
  });
}

/** Thread 1 at place `p`, with as many messages as can wait, the second with the key `first`. */
async function fill(store: Store): Promise<void> {
  await store.open(newThread(T1), message('fill-0'), { place: 'p' });
  await store.accept(T1, message('fill-1'), { key: 'first' });
  for (let count = 2; count < LIMITS.pendingMessages; count++) {
    assert.equal((await store.accept(T1, message(`fill-${count}`))).kind, 'accepted');
  }
}

function borderContract(onStore: OnStore): void {
  onStore('what a caller changes in a message afterwards is not in the store', async (store) => {
    const sent = { ...message('m1'), actor: { id: 'u1', name: 'Ada' } };
    const opening = store.open(newThread(T1), sent);
    sent.actor.name = 'Eve';
    await opening;
    const next = { ...message('m2'), text: 'text of m2' };
    const accepting = store.accept(T1, next);
    next.text = 'changed';
    await accepting;
    assert.deepEqual(await store.pending(T1), [message('m1'), message('m2')]);
    assert.deepEqual((await store.timeline(T1))?.entries, [message('m1'), message('m2')].map(messageEntry));
    const [read] = await store.pending(T1);
    assert.ok(read?.actor);
    Object.assign(read.actor, { name: 'Eve' });
    assert.deepEqual(await store.pending(T1), [message('m1'), message('m2')]);
  });

  onStore('any text comes back as it was', async (store) => {
    const text = 'a\u0000b \ud800 \u2028 \u{1f600} "quoted" \\ \r\n\ufeff';
    const odd = message('m1', { text, untrusted: text, actor: { id: text } });
    await store.open(newThread(T1), odd);
    assert.deepEqual(await store.pending(T1), [odd]);
    assert.deepEqual((await store.timeline(T1))?.entries, [messageEntry(odd)]);
  });
}
