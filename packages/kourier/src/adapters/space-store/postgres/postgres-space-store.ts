import { DatabaseError, type Pool, type PoolClient } from 'pg';
import type { SpaceStore } from '../../../ports/space/space-store.ts';
import { POSTGRES } from '../sql/dialect.ts';
import { type SqlDatabase, SqlSpaceStore } from '../sql/sql-space-store.ts';
import { type Query, type Row, runStepsAsync, type Steps } from '../sql/steps.ts';
import { openPool } from './open-pool.ts';
import { POSTGRES_LIMITS } from './postgres-limits.ts';
import { explain } from './postgres-store-error.ts';

/**
 * The store of a Space in PostgreSQL 13 or newer, which any number of processes share. `url` is
 * `postgres://user:password@host:port/database`; the tables begin with `space_`, and are made where they lack. Rejects with
 * a `PostgresStoreError` that says what to do, and whether it is certain that nothing was written.
 */
export function postgresSpaceStore({ url }: { readonly url: string }): SpaceStore {
  return new SqlSpaceStore(new PostgresDatabase(url));
}

/** Undone by PostgreSQL because of another transaction: serialization, deadlock. */
const UNDONE = ['40001', '40P01'];

export class PostgresDatabase implements SqlDatabase {
  readonly dialect = POSTGRES;
  readonly #url: string;
  readonly #working = new Set<Promise<unknown>>();
  #pool: Pool | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  async open(): Promise<void> {
    this.#pool = await openPool(this.#url);
  }

  async close(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    if (pool === undefined) return;
    // The pool would refuse those that still wait for a connection.
    await Promise.allSettled(this.#working);
    await pool.end();
  }

  async read<Value>(work: () => Steps<Value>): Promise<Value> {
    const pool = this.#now;
    return this.#tracked(async () => {
      try {
        return await runStepsAsync(work(), runOn(pool));
      } catch (error) {
        throw explain(error);
      }
    });
  }

  async write<Value>(work: () => Steps<Value>): Promise<Value> {
    const pool = this.#now;
    return this.#tracked(async () => {
      for (let attempt = 1; ; attempt += 1) {
        const done = await transaction(pool, work);
        if ('value' in done) return done.value;
        if (attempt === POSTGRES_LIMITS.attempts || !isUndone(done.error)) throw explain(done.error, done.mayBeDone);
      }
    });
  }

  #tracked<Value>(work: () => Promise<Value>): Promise<Value> {
    const working = work();
    this.#working.add(working);
    const forget = () => this.#working.delete(working);
    working.then(forget, forget);
    return working;
  }

  get #now(): Pool {
    if (this.#pool === undefined) throw new Error('The store in PostgreSQL is not open: call open() first.');
    return this.#pool;
  }
}

type Done<Value> = { readonly value: Value } | { readonly error: unknown; readonly mayBeDone: boolean };

async function transaction<Value>(pool: Pool, work: () => Steps<Value>): Promise<Done<Value>> {
  let client: PoolClient | undefined;
  let ending = false;
  try {
    client = await pool.connect();
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
    const value = await runStepsAsync(work(), runOn(client));
    ending = true;
    await client.query('COMMIT');
    client.release();
    return { value };
  } catch (error) {
    // The connection goes, and the transaction with it.
    client?.release(true);
    return { error, mayBeDone: ending && !isCertain(error) };
  }
}

/** What PostgreSQL itself answers to a COMMIT, unless it says that it stops. */
const isCertain = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code?.startsWith('57P') === false;

const isUndone = (error: unknown): boolean => error instanceof DatabaseError && UNDONE.includes(error.code ?? '');

function runOn(connection: Pool | PoolClient): (query: Query) => Promise<readonly Row[]> {
  return async ({ sql, values }) => (await connection.query<Row>(sql, [...values])).rows;
}
