/** What the databases say differently. */
export interface Dialect {
  /** The type of an id: compared byte by byte. */
  readonly id: string;
  /** The type of a whole number up to 2^53. */
  readonly whole: string;
  /** A primary key that grows, and is never used again. */
  readonly growing: string;
  /** What a table's definition ends with. */
  readonly strict: string;
  /** Ends a reading of rows that this transaction goes on to change: others wait. */
  readonly forUpdate: string;
  /** Ends one that leaves out what another transaction holds. */
  readonly skipLocked: string;
}

/** One transaction writes at a time, so nothing needs a lock of its own. */
export const SQLITE: Dialect = {
  id: 'TEXT',
  whole: 'INTEGER',
  growing: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  strict: ' STRICT',
  forUpdate: '',
  skipLocked: '',
};

export const POSTGRES: Dialect = {
  id: 'TEXT COLLATE "C"',
  whole: 'BIGINT',
  growing: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  strict: '',
  forUpdate: ' FOR UPDATE',
  skipLocked: ' FOR UPDATE SKIP LOCKED',
};
