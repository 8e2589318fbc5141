import type { Entry, ThreadStatus } from '../../core/thread/entry.ts';
import type { EntryId } from '../../core/thread/ids.ts';
import type { ThreadUpdate } from '../../ports/chat.ts';
import { entryFrame, statusFrame } from './frames.ts';

/**
 * What one reader has not been sent yet: of each entry only the latest, so that a slow reader costs no more than the
 * thread itself. A frame carries the id of a revision only when nothing up to that revision is left to send: a stream
 * that breaks in mid-batch resumes before it.
 */
export class Unsent {
  readonly #entries = new Map<EntryId, Entry>();
  #status: ThreadStatus | undefined;
  #sentStatus: ThreadStatus | undefined;
  #revision: number;
  #completeUpTo: number;

  /** `after`: the revision up to which the reader has seen everything. */
  constructor(after: number) {
    this.#revision = after;
    this.#completeUpTo = after;
  }

  add({ entries, status, revision }: Pick<ThreadUpdate, 'entries' | 'status' | 'revision'>): void {
    // An entry that waits already keeps its place: entries go out in the order in which they began.
    for (const entry of entries) this.#entries.set(entry.id, entry);
    this.#status = status === this.#sentStatus ? undefined : status;
    this.#revision = Math.max(this.#revision, revision);
    if (this.empty) this.#completeUpTo = this.#revision;
  }

  get empty(): boolean {
    return this.#entries.size === 0 && this.#status === undefined;
  }

  /** The next frame, entries before the status; `undefined` when nothing is left. */
  next(): string | undefined {
    for (const [id, entry] of this.#entries) {
      this.#entries.delete(id);
      return entryFrame(entry, this.#frameId());
    }
    const status = this.#status;
    if (status === undefined) return undefined;
    this.#status = undefined;
    this.#sentStatus = status;
    return statusFrame(status, this.#frameId());
  }

  #frameId(): number {
    if (this.empty) this.#completeUpTo = this.#revision;
    return this.#completeUpTo;
  }
}
