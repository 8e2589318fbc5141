import type { DirectoryStore } from './directory-store.ts';
import type { OutboxStore } from './outbox-store.ts';
import type { TaskLedger } from './task-ledger.ts';

/**
 * All that a Space keeps, in one database, which several processes may share where it is PostgreSQL.
 *
 * What resolved is durable, and is seen by every reading that begins after it, in every process. A method that rejects
 * has written nothing, unless the connection to a shared database broke: then it may have, and asking for the same again
 * does no harm. Spaces, agents and tasks are named by ids (`^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`): to read one that is none
 * finds nothing, to write it rejects with a `TypeError`. All other texts may hold anything. Times are whole milliseconds
 * since the epoch, as the caller's clock has them. Before `open` and after `close` every other method rejects.
 */
export interface SpaceStore extends DirectoryStore, TaskLedger, OutboxStore {
  /** Rejects with an error that says what to do: the database cannot be had, is another program's, or a newer version's. */
  open(): Promise<void>;
  /** Resolves when what was asked for before is done. Safe to repeat. */
  close(): Promise<void>;
}

/** `cursor` is none that this method gave. Nothing of it is in the message. */
export class UnknownCursor extends Error {
  override readonly name = 'UnknownCursor';

  constructor() {
    super('The cursor is none that a page ended with. Begin again without one.');
  }
}
