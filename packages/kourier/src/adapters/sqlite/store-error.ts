import Database from 'better-sqlite3';

/**
 * Why the store did not do what it was asked for. Nothing of it was written. The message says what a person can do,
 * and never holds what is stored; `code` is SQLite's or the system's own word.
 */
export class StoreError extends Error {
  override readonly name: string = 'StoreError';
  readonly path: string;
  readonly code: string;

  constructor(path: string, code: string, message: string) {
    super(message);
    this.path = path;
    this.code = code;
  }
}

/** Another process has the store open: a store has one owner at a time. */
export class StoreInUse extends StoreError {
  override readonly name = 'StoreInUse';

  constructor(path: string) {
    const remedy = 'Stop the other process, or give this one a data folder of its own.';
    super(path, 'SQLITE_BUSY', `The store ${path} is in use by another process. ${remedy}`);
  }
}

/** Makes a store's error of SQLite's or the system's. Anything else is a mistake of the caller and stays as it is. */
export function explain(error: unknown, path: string): Error {
  if (error instanceof StoreError) return error;
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error ? error : new Error('The store failed.');
  if (code === 'SQLITE_BUSY' || code === 'SQLITE_LOCKED') return new StoreInUse(path);
  const [, remedy] = REMEDIES.find(([known]) => code.startsWith(known)) ?? [];
  return new StoreError(path, code, `The store ${path} failed (${code}). ${remedy ?? 'Nothing of this was written.'}`);
}

const REMEDIES: readonly (readonly [code: string, remedy: string])[] = [
  ['SQLITE_FULL', 'The disk is full: free some space; what was accepted before is safe.'],
  ['ENOSPC', 'The disk is full: free some space.'],
  ['SQLITE_IOERR', "The disk failed: look at the machine's log, and move the data folder to a sound disk."],
  ['EIO', "The disk failed: look at the machine's log, and move the data folder to a sound disk."],
  ['SQLITE_CORRUPT', 'The file is damaged: put a backup in its place.'],
  ['SQLITE_NOTADB', 'The file is no SQLite database: name another path, or put a backup in its place.'],
  ['SQLITE_READONLY', 'It cannot be written: give this user write access to the file and its folder.'],
  ['SQLITE_PERM', 'It cannot be written: give this user write access to the file and its folder.'],
  ['SQLITE_CANTOPEN', 'It cannot be opened: the path must name a file in a folder that this user may write to.'],
  ['EACCES', 'It cannot be opened: give this user write access to the folder.'],
  ['EPERM', 'It cannot be opened: give this user write access to the folder.'],
  ['EROFS', 'The disk is read-only: name a data folder that can be written.'],
  ['ENOTDIR', 'A part of the path is a file: name a folder.'],
  ['EEXIST', 'A part of the path is a file: name a folder.'],
  ['EISDIR', 'The path is a folder: name a file.'],
  ['SQLITE_TOOBIG', 'A value is larger than a database row can be.'],
];

function codeOf(error: unknown): string | undefined {
  if (error instanceof Database.SqliteError) return error.code;
  if (error instanceof Error && 'code' in error && 'syscall' in error) return String(error.code);
  return undefined;
}
