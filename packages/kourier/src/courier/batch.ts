import type { Entry } from '../core/thread/entry.ts';
import type { EntryId, TurnId } from '../core/thread/ids.ts';
import type { Notice } from '../core/thread/notice.ts';
import type { Thread } from '../core/thread/thread.ts';

/** What one commit is to write: the outcome of every event that had happened by then, in order. */
export class Batch {
  thread: Thread;
  readonly taken: EntryId[] = [];
  readonly #entries = new Map<EntryId, Entry>();
  changed = false;

  constructor(thread: Thread) {
    this.thread = thread;
  }

  get entries(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  /** An entry keeps the place where it stands in this batch, whatever came after it. */
  put(entries: readonly Entry[]): void {
    for (const entry of entries) {
      this.#entries.set(entry.id, entry);
      this.changed = true;
    }
  }

  addNotices(notices: readonly Notice[], turnId: TurnId, newId: () => EntryId): void {
    this.put(notices.map((notice) => ({ kind: 'notice', id: newId(), turnId, ...notice })));
  }
}
