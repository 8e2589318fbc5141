import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { migrations, SQLITE } from '../sql/migrations.ts';
import { explain, SqliteStoreError } from './sqlite-store-error.ts';

/** Marks the file as ours: "AgTs". */
const APPLICATION_ID = 0x41_67_54_73;

/** Bounds what the write-ahead log keeps of the disk after a burst. */
const LOG_BYTES = 64 * 1_024 * 1_024;

/**
 * Opens or makes the file, takes the lock that the process keeps until it closes or dies, and brings the schema up to
 * date. Rejects with a SqliteStoreError.
 */
export async function openDatabase(path: string, steps = migrations(SQLITE)): Promise<DatabaseSync> {
  // Loaded when it is wanted: Node warns whoever loads it that it is young.
  const { DatabaseSync } = await import('node:sqlite');
  let db: DatabaseSync | undefined;
  try {
    makePrivately(path);
    db = new DatabaseSync(path, { timeout: 0 });
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    migrate(db, path, steps);
    if (pragma(db, 'journal_mode = WAL') !== 'wal') {
      throw new SqliteStoreError(path, `The store ${path} cannot be kept there. Name a file on a local disk.`);
    }
    // On macOS a sync alone leaves the disk's cache.
    for (const setting of ['synchronous = FULL', 'fullfsync = ON', 'foreign_keys = ON', 'temp_store = MEMORY']) {
      db.exec(`PRAGMA ${setting}`);
    }
    db.exec(`PRAGMA journal_size_limit = ${LOG_BYTES}`);
    return db;
  } catch (error) {
    db?.close();
    throw explain(error, path);
  }
}

/** In one transaction, all or nothing. A file of another program, or of a newer version of this one, is left as it is. */
function migrate(db: DatabaseSync, path: string, steps: readonly string[]): void {
  db.exec('BEGIN EXCLUSIVE');
  const version = Number(pragma(db, 'user_version'));
  const application = Number(pragma(db, 'application_id'));
  const isNew = application === 0 && version === 0 && tablesOf(db) === 0;
  if (application !== APPLICATION_ID && !isNew) {
    throw new SqliteStoreError(path, `The file ${path} belongs to another program. Name another path.`);
  }
  if (version > steps.length) {
    const found = `its schema is ${version}, this version knows ${steps.length}`;
    throw new SqliteStoreError(
      path,
      `The store ${path} was written by a newer version (${found}). Start that one, or name another path.`,
    );
  }
  for (const step of steps.slice(version)) db.exec(step);
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  db.exec(`PRAGMA user_version = ${steps.length}`);
  db.exec('COMMIT');
}

function pragma(db: DatabaseSync, setting: string): unknown {
  return Object.values(db.prepare(`PRAGMA ${setting}`).get() ?? {})[0];
}

function tablesOf(db: DatabaseSync): number {
  return Number(db.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()?.['tables']);
}

/** The log takes over the file's mode. An existing file keeps its own. */
function makePrivately(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
