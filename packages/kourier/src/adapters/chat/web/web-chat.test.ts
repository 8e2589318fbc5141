import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnswerEntry, Entry } from '../../../core/thread/entry.ts';
import type { EntryId, ThreadId, TurnId } from '../../../core/thread/ids.ts';
import type { ThreadUpdate } from '../../../ports/chat.ts';
import type { Timeline } from '../../../ports/store.ts';
import { webChat } from './web-chat.ts';

const T1 = 't_1' as ThreadId;

const answer = (id: string, text: string, streaming = true): AnswerEntry => ({
  kind: 'answer',
  id: id as EntryId,
  turnId: 'u' as TurnId,
  text,
  streaming,
});

const update = (entries: readonly Entry[], more: Partial<ThreadUpdate> = {}): ThreadUpdate => {
  return { thread: T1, binding: 'ops', entries, status: 'running', revision: 1, live: true, ...more };
};

const timeline = (...entries: readonly Entry[]): Timeline => ({
  id: T1,
  binding: 'ops',
  status: 'running',
  entries,
  revision: 1,
});

test('live text lies over a streaming entry of the store, never over one that has ended', () => {
  const chat = webChat();
  chat.show(update([answer('a', 'live'), answer('b', 'live')]));
  const over = chat.overlay(timeline(answer('a', ''), answer('b', 'final', false), answer('c', 'own')));
  assert.deepEqual(over.entries, [answer('a', 'live'), answer('b', 'final', false), answer('c', 'own')]);
  const plain = timeline(answer('a', 'stored'));
  assert.equal(webChat().overlay(plain), plain);
});

test('what has ended is kept no longer, and an idle thread has no live text', () => {
  const chat = webChat();
  chat.show(update([answer('a', '1'), answer('b', '2')]));
  chat.show(update([answer('a', 'end', false)], { live: false }));
  assert.deepEqual(chat.live(T1), [answer('b', '2')]);
  chat.show(update([], { live: false, status: 'idle' }));
  assert.deepEqual(chat.live(T1), []);
});

test('the threads that text is kept of are bounded: the longest without news goes first', () => {
  const chat = webChat({ liveThreads: 2 });
  const show = (thread: string) => chat.show(update([answer('a', thread)], { thread: thread as ThreadId }));
  for (const thread of ['x', 'y', 'x', 'z']) show(thread);
  const kept = ['x', 'y', 'z'].map((thread) => chat.live(thread as ThreadId).length);
  assert.deepEqual(kept, [1, 0, 1]);
});

test('a listener is called until it is unsubscribed, each subscription for itself', () => {
  const chat = webChat();
  let calls = 0;
  const listener = () => void calls++;
  const stops = [chat.subscribe(T1, listener), chat.subscribe(T1, listener)];
  chat.show(update([]));
  assert.deepEqual([calls, chat.readers()], [2, 2]);
  stops[0]?.();
  stops[0]?.();
  chat.show(update([]));
  assert.deepEqual([calls, chat.readers()], [3, 1]);
  stops[1]?.();
  chat.show(update([]));
  assert.deepEqual([calls, chat.readers()], [3, 0]);
});

test('a listener that throws reaches nobody else, and is called no more', () => {
  const chat = webChat();
  const seen: string[] = [];
  chat.subscribe(T1, () => {
    seen.push('bad');
    throw new Error('bad');
  });
  chat.subscribe(T1, () => void seen.push('good'));
  chat.show(update([]));
  chat.show(update([]));
  assert.deepEqual(seen, ['bad', 'good', 'good']);
});

test('a listener that unsubscribes another in mid-show harms nothing', () => {
  const chat = webChat();
  const seen: string[] = [];
  let stop = (): void => undefined;
  chat.subscribe(T1, () => stop());
  stop = chat.subscribe(T1, () => void seen.push('other'));
  chat.show(update([]));
  chat.show(update([]));
  assert.deepEqual(seen, [], 'what was unsubscribed is not called, not even in the same show');
});
