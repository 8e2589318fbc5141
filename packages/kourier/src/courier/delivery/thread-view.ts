import type { Entry, ThreadStatus } from '../../core/thread/entry.ts';
import type { EntryId, ThreadId } from '../../core/thread/ids.ts';
import type { ThreadUpdate } from '../../ports/chat.ts';
import type { Timeline } from '../../ports/store.ts';
import type { DeliveryStore } from './delivery-world.ts';

/** A thread as it is to be shown: what is durable, with live text over it. */
export class ThreadView {
  readonly #store: DeliveryStore;
  readonly #thread: ThreadId;
  readonly #entries = new Map<EntryId, Entry>();
  readonly #live = new Map<EntryId, Entry>();
  #isBehind = true;
  revision = 0;
  status: ThreadStatus = 'running';
  binding = '';

  constructor(store: DeliveryStore, thread: ThreadId) {
    this.#store = store;
    this.#thread = thread;
  }

  get entries(): readonly Entry[] {
    return [...this.#entries].map(([id, entry]) => this.#live.get(id) ?? entry);
  }

  /** Something was written that is not known here. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** Takes what follows on what is known; anything else has to be read. */
  show({ entries, revision, live, status, binding }: ThreadUpdate): void {
    if (live) {
      for (const entry of entries) if (!this.#hasEnded(entry)) this.#live.set(entry.id, entry);
    } else if (!this.#isBehind && revision === this.revision + 1)
      this.#put({ entries, revision, status, binding }, true);
    else if (revision > this.revision) this.#isBehind = true;
  }

  /** Reads what was written and not shown here. */
  async catchUp(): Promise<void> {
    while (this.#isBehind) {
      this.#isBehind = false;
      const changes = await this.#store.changes(this.#thread, this.revision).catch((error: unknown) => {
        this.#isBehind = true;
        throw error;
      });
      if (changes && changes.revision > this.revision) this.#put(changes, false);
    }
  }

  #put({ entries, revision, status, binding }: Omit<Timeline, 'id'>, isNewest: boolean): void {
    for (const entry of entries) {
      this.#entries.set(entry.id, entry);
      if (isNewest || this.#hasEnded(entry)) this.#live.delete(entry.id);
    }
    this.revision = revision;
    this.status = status;
    this.binding = binding;
  }

  #hasEnded({ id }: Entry): boolean {
    const entry = this.#entries.get(id);
    return entry !== undefined && !(entry.kind === 'answer' && entry.streaming);
  }
}
