/** Why a file does not serve as a store, or did not take a change; nothing of that change was written. */
export class SqliteStoreError extends Error {
  override readonly name = 'SqliteStoreError';
  readonly path: string;

  constructor(path: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.path = path;
  }
}

/** Makes a store's error of SQLite's or the system's, which says what to do; anything else stays as it is. */
export function explain(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || error instanceof SqliteStoreError) return error;
  const remedy = remedyOf(error);
  return remedy === undefined ? error : new SqliteStoreError(path, `The store ${path} ${remedy}`, { cause: error });
}

function remedyOf(error: Error): string | undefined {
  // Of an extended code, the last byte is the code.
  if ('errcode' in error && typeof error.errcode === 'number') return OF_SQLITE[error.errcode & 0xff] ?? FAILED;
  if ('code' in error && 'syscall' in error) return OF_SYSTEM[String(error.code)] ?? FAILED;
  return undefined;
}

const FAILED = 'failed. Nothing of this was written.';
const IN_USE = 'is in use by another process. Stop that one, or name another path; several processes share PostgreSQL.';
const NOT_OURS = 'cannot be written. Give this user write access to the file and its folder.';
const FULL = 'is on a full disk. Free some space; what was stored before is safe.';

/** By SQLite's result codes. */
const OF_SQLITE: Readonly<Record<number, string>> = {
  5: IN_USE,
  6: IN_USE,
  8: NOT_OURS,
  10: 'is on a disk that failed. Look at the log of the machine, and move the file to a sound disk.',
  11: 'is damaged. Put a backup in its place.',
  13: FULL,
  14: 'cannot be opened. Name a file in a folder that this user may write to.',
  26: 'is no SQLite database. Name another path, or put a backup in its place.',
};

const OF_SYSTEM: Readonly<Record<string, string>> = {
  EACCES: NOT_OURS,
  EPERM: NOT_OURS,
  EROFS: NOT_OURS,
  ENOSPC: FULL,
  EEXIST: 'cannot be made: a part of its path is a file. Name a folder.',
  ENOTDIR: 'cannot be made: a part of its path is a file. Name a folder.',
};
