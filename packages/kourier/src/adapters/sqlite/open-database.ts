import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { type FileSchema, migrate } from './migrate.ts';
import { explain, StoreError } from './store-error.ts';

/** Bounds what the write-ahead log keeps of the disk after a burst. */
const LOG_BYTES = 64 * 1_024 * 1_024;
const CACHE_KIB = 32 * 1_024;

export const IN_MEMORY = ':memory:';

/**
 * Opens or makes the file, takes the exclusive lock that the process keeps until it closes or dies, and brings the
 * schema up to date. Throws a `StoreError`; a `StoreInUse` at once when another process has the lock. A database in memory (`:memory:`) is gone when it closes.
 */
export function openDatabase(path: string, schema: FileSchema): Database.Database {
  let db: Database.Database | undefined;
  try {
    if (path !== IN_MEMORY) makePrivately(path);
    db = new Database(path, { timeout: 0 });
    db.pragma('locking_mode = EXCLUSIVE');
    migrate(db, path, schema);
    const journal = db.pragma('journal_mode = WAL', { simple: true });
    if (path !== IN_MEMORY && journal !== 'wal') {
      throw new StoreError(
        path,
        'no-wal',
        `The store ${path} cannot be kept there. Name a data folder on a local disk.`,
      );
    }
    db.pragma('synchronous = FULL');
    // On macOS an fsync alone leaves the disk's cache.
    db.pragma('fullfsync = ON');
    db.pragma('foreign_keys = ON');
    db.pragma('temp_store = MEMORY');
    db.pragma(`journal_size_limit = ${LOG_BYTES}`);
    db.pragma(`cache_size = -${CACHE_KIB}`);
    return db;
  } catch (error) {
    db?.close();
    throw explain(error, path);
  }
}

/**
 * The log takes over the file's mode. An existing file is not touched: to open and close it here would drop the locks
 * that this process may hold on it.
 */
function makePrivately(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
