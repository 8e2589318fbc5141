import { LIMITS } from '../../../core/limits.ts';
import type { AnswerEntry, Entry } from '../../../core/thread/entry.ts';
import type { EntryId, ThreadId } from '../../../core/thread/ids.ts';
import type { Chat, ThreadUpdate } from '../../../ports/chat.ts';
import type { Timeline } from '../../../ports/store.ts';
import type { ThreadFeed } from '../../../ports/thread-feed.ts';

type Listener = (update: ThreadUpdate) => void;

export interface WebChat extends Chat, ThreadFeed {
  /** Readers subscribed now, of all threads. */
  readers(): number;
}

/**
 * The web platform: a hub in memory between the courier and whoever reads a thread. It keeps no queue: the store has
 * what is committed, the hub only the latest live text of each answer under way. `liveThreads` bounds the threads that
 * it keeps text of; a thread that was taken over by another courier would else stay for ever.
 */
export function webChat({ liveThreads = LIMITS.liveThreads }: { readonly liveThreads?: number } = {}): WebChat {
  const listeners = new Map<ThreadId, Set<Listener>>();
  const live = new Map<ThreadId, Map<EntryId, AnswerEntry>>();

  function keep(update: ThreadUpdate): void {
    const answers = live.get(update.thread) ?? new Map<EntryId, AnswerEntry>();
    for (const entry of update.entries) {
      if (isStreaming(entry)) answers.set(entry.id, entry);
      else answers.delete(entry.id);
    }
    if (!update.live && update.status === 'idle') answers.clear();
    // Taken out and put back, so that the first of the map is the one longest without news.
    live.delete(update.thread);
    if (answers.size > 0) live.set(update.thread, answers);
    for (const oldest of live.keys()) {
      if (live.size <= liveThreads) break;
      live.delete(oldest);
    }
  }

  function unsubscribe(thread: ThreadId, listener: Listener): void {
    const ofThread = listeners.get(thread);
    if (ofThread?.delete(listener) && ofThread.size === 0) listeners.delete(thread);
  }

  function tell(listener: Listener, update: ThreadUpdate): void {
    try {
      listener(update);
    } catch {
      // One reader's fault must not reach the courier or the other readers; it reads the store again.
      unsubscribe(update.thread, listener);
    }
  }

  return {
    platform: 'web',
    displayName: 'Web',
    show(update) {
      keep(update);
      const ofThread = listeners.get(update.thread);
      if (ofThread === undefined) return;
      // A copy, so that who subscribes meanwhile waits for the next; who unsubscribes meanwhile is not called.
      for (const listener of [...ofThread]) if (ofThread.has(listener)) tell(listener, update);
    },
    subscribe(thread, callBack) {
      // A function of its own for each subscription, so that one listener can subscribe twice.
      const listener: Listener = (update) => callBack(update);
      const ofThread = listeners.get(thread) ?? new Set();
      listeners.set(thread, ofThread.add(listener));
      return () => unsubscribe(thread, listener);
    },
    live: (thread) => [...(live.get(thread)?.values() ?? [])],
    overlay(timeline) {
      const answers = live.get(timeline.id);
      return answers === undefined ? timeline : { ...timeline, entries: overlaid(timeline, answers) };
    },
    readers: () => [...listeners.values()].reduce((sum, { size }) => sum + size, 0),
  };
}

function overlaid({ entries }: Timeline, answers: ReadonlyMap<EntryId, AnswerEntry>): readonly Entry[] {
  return entries.map((entry) => (isStreaming(entry) ? (answers.get(entry.id) ?? entry) : entry));
}

function isStreaming(entry: Entry): entry is AnswerEntry {
  return entry.kind === 'answer' && entry.streaming;
}
