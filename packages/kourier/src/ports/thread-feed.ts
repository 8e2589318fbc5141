import type { AnswerEntry } from '../core/thread/entry.ts';
import type { ThreadId } from '../core/thread/ids.ts';
import type { ThreadUpdate } from './chat.ts';
import type { Timeline } from './store.ts';

/**
 * Threads as they happen, for a reader in this process. A reader that is to miss nothing subscribes first, reads the
 * store then, and puts the two together.
 */
export interface ThreadFeed {
  /**
   * Calls back with each update of a thread, in their order, until the function returned is called (twice is
   * harmless). The listener must not block; one that throws is unsubscribed. Nothing is kept for a slow listener.
   */
  subscribe(thread: ThreadId, listener: (update: ThreadUpdate) => void): () => void;
  /** The live text of answers that a commit has begun and none has ended, as last shown. */
  live(thread: ThreadId): readonly AnswerEntry[];
  /** The timeline with live text in place of what the store has; an answer that the store has as ended stays as it is. */
  overlay(timeline: Timeline): Timeline;
}
