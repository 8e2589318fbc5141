import type { AuditRecord } from '../core/request/audit-record.ts';
import type { Entry } from '../core/thread/entry.ts';
import type { EntryId, TurnId } from '../core/thread/ids.ts';
import type { Message } from '../core/thread/message.ts';
import type { Thread } from '../core/thread/thread.ts';
import type { Decision } from '../core/turn/decision.ts';

/** What one commit is to write: the outcome of every event that had happened by then, in order. */
export class Batch {
  thread: Thread;
  readonly taken: EntryId[] = [];
  readonly audit: AuditRecord[] = [];
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

  /** What was decided of a turn. */
  take(
    { thread, requests = [], notices, audit = [], taken = [] }: Decision,
    turnId: TurnId,
    newId: () => EntryId,
  ): void {
    this.put(requests);
    this.put(notices.map((notice) => ({ kind: 'notice', id: newId(), turnId, ...notice })));
    this.audit.push(...audit);
    this.taken.push(...taken);
    this.thread = thread;
    this.changed = true;
  }

  /** A turn begins with these messages. */
  begin(thread: Thread, messages: readonly Message[]): void {
    this.taken.push(...messages.map(({ id }) => id));
    this.thread = thread;
    this.changed = true;
  }
}
