import type { DirectoryStore } from './directory-store.ts';
import type { OutboxStore } from './outbox-store.ts';
import type { TaskLedger } from './task-ledger.ts';

/** All that a Space keeps, in one database, which several processes may share where it is PostgreSQL. */
export interface SpaceStore extends DirectoryStore, TaskLedger, OutboxStore {
  open(): Promise<void>;
  close(): Promise<void>;
}
