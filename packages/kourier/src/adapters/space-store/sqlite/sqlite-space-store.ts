import { resolve } from 'node:path';
import type { Database, Statement } from 'better-sqlite3';
import type { SpaceStore } from '../../../ports/space/space-store.ts';
import { GroupCommit } from '../../sqlite/group-commit.ts';
import type { FileSchema } from '../../sqlite/migrate.ts';
import { IN_MEMORY, openDatabase } from '../../sqlite/open-database.ts';
import { explain } from '../../sqlite/store-error.ts';
import { SQLITE } from '../sql/dialect.ts';
import { migrations } from '../sql/migrations.ts';
import { releaseAll } from '../sql/outbox.ts';
import { type SqlDatabase, SqlSpaceStore } from '../sql/sql-space-store.ts';
import { type Query, type Row, runSteps, type Steps } from '../sql/steps.ts';

/** The file of a Space. */
export const SPACE_FILE: FileSchema = {
  // "AgSp"
  applicationId: 0x41_67_53_70,
  migrations: migrations(SQLITE),
};

/**
 * The store of a Space in one file, owned by one process: every write is on the disk before its promise resolves. `path`
 * names the file, which `open` makes with its folder for this user alone; `:memory:` keeps it in memory, for tests. `open`
 * rejects with a `StoreError` that says what to do: a `StoreInUse` when another process has it open.
 */
export function sqliteSpaceStore({ path }: { readonly path: string }): SpaceStore {
  return new SqlSpaceStore(new SqliteDatabase(path === IN_MEMORY ? path : resolve(path)));
}

interface Opened {
  readonly db: Database;
  readonly writes: GroupCommit;
  readonly statements: Map<string, Statement>;
}

export class SqliteDatabase implements SqlDatabase {
  readonly dialect = SQLITE;
  readonly #path: string;
  #opened: Opened | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  async open(): Promise<void> {
    const db = openDatabase(this.#path, SPACE_FILE);
    const writes = new GroupCommit(db, (error) => explain(error, this.#path));
    const opened = { db, writes, statements: new Map() };
    try {
      // Who has the lock of the file is alone.
      runSteps(releaseAll(), (query) => run(opened, query));
    } catch (error) {
      db.close();
      throw explain(error, this.#path);
    }
    this.#opened = opened;
  }

  async close(): Promise<void> {
    if (this.#opened === undefined) return;
    const { db, writes } = this.#opened;
    writes.drain();
    this.#opened = undefined;
    db.close();
  }

  async read<Value>(work: () => Steps<Value>): Promise<Value> {
    const opened = this.#now;
    try {
      return runSteps(work(), (query) => run(opened, query));
    } catch (error) {
      throw explain(error, this.#path);
    }
  }

  async write<Value>(work: () => Steps<Value>): Promise<Value> {
    const opened = this.#now;
    return opened.writes.run(() => runSteps(work(), (query) => run(opened, query)));
  }

  get #now(): Opened {
    if (this.#opened === undefined) throw new Error(`The store ${this.#path} is not open: call open() first.`);
    return this.#opened;
  }
}

function run({ db, statements }: Opened, { sql, values }: Query): readonly Row[] {
  let statement = statements.get(sql);
  if (statement === undefined) {
    statement = db.prepare(sql);
    statements.set(sql, statement);
  }
  const named = Object.fromEntries(values.map((value, index) => [index + 1, value]));
  if (statement.reader) return statement.all(named) as readonly Row[];
  statement.run(named);
  return [];
}
