import type { AnswerEntry, Entry } from '../core/thread/entry.ts';
import type { EntryId, TurnId } from '../core/thread/ids.ts';
import type { Notice } from '../core/thread/notice.ts';
import type { Thread } from '../core/thread/thread.ts';

/** What one commit is to write: the outcome of every event that had happened by then, in order. */
export class Batch {
  thread: Thread;
  readonly taken: EntryId[] = [];
  readonly #entries: Entry[] = [];
  changed = false;

  constructor(thread: Thread) {
    this.thread = thread;
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** An answer keeps the place where it stands in this batch, whatever came after it. */
  putAnswer(entry: AnswerEntry | undefined): void {
    if (!entry) return;
    const at = this.#entries.findIndex(({ id }) => id === entry.id);
    if (at < 0) this.#entries.push(entry);
    else this.#entries[at] = entry;
    this.changed = true;
  }

  addNotices(notices: readonly Notice[], turnId: TurnId, newId: () => EntryId): void {
    for (const notice of notices) this.#entries.push({ kind: 'notice', id: newId(), turnId, ...notice });
  }
}
