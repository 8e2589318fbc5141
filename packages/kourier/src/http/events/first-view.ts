import type { AnswerEntry, Entry, ThreadStatus } from '../../core/thread/entry.ts';
import type { EntryId } from '../../core/thread/ids.ts';
import type { ThreadUpdate } from '../../ports/chat.ts';
import type { Timeline } from '../../ports/store.ts';

type View = Pick<ThreadUpdate, 'entries' | 'status' | 'revision'>;

/**
 * Puts a reader's first view together out of what was subscribed to first and read from the store then: no gap, and
 * nothing older over something newer. Keeps of each entry only the latest while the store is read.
 */
export class FirstView {
  readonly #committed = new Map<EntryId, { readonly entry: Entry; readonly revision: number }>();
  #last: { readonly status: ThreadStatus; readonly revision: number } | undefined;

  /** Live text is not kept here: `assemble` gets the latest. */
  add(update: ThreadUpdate): void {
    if (update.live) return;
    const { revision, status } = update;
    for (const entry of update.entries) this.#committed.set(entry.id, { entry, revision });
    this.#last = { status, revision };
  }

  /** The newest revision that came; 0 when none did. */
  get newest(): number {
    return this.#last?.revision ?? 0;
  }

  assemble(read: Timeline, live: readonly AnswerEntry[]): View {
    const entries = new Map<EntryId, Entry>(read.entries.map((entry) => [entry.id, entry]));
    for (const [id, { entry, revision }] of this.#committed) if (revision > read.revision) entries.set(id, entry);
    for (const entry of live) if (!hasEnded(entries.get(entry.id))) entries.set(entry.id, entry);
    const newest = this.#last !== undefined && this.#last.revision > read.revision ? this.#last : read;
    return { entries: [...entries.values()], status: newest.status, revision: newest.revision };
  }
}

/** What is not there has not changed since the reader's last revision, and what is live had begun by then. */
function hasEnded(entry: Entry | undefined): boolean {
  return entry !== undefined && !(entry.kind === 'answer' && entry.streaming);
}
