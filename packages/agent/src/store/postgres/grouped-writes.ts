import type { Pool, PoolClient } from 'pg';
import { AGENT_LIMITS } from '../../limits.ts';
import { type Query, type Row, runStepsAsync, type Steps } from '../sql/steps.ts';

interface Job {
  /** Does the work, and returns what tells the caller so. Done again when its transaction was undone. */
  readonly perform: (run: (query: Query) => Promise<readonly Row[]>) => Promise<() => void>;
  readonly reject: (error: unknown) => void;
}

/**
 * Changes that are asked for while others are on their way share the next transaction. When it fails, each is tried
 * alone, so that none fails for another.
 */
export class GroupedWrites {
  readonly #pool: Pool;
  #queue: Job[] = [];
  #writing: Promise<void> | undefined;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Resolves with what the work returns, once that is committed. Work is done in the order in which it was asked for. */
  write<T>(work: () => Steps<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const perform: Job['perform'] = async (run) => {
        const value = await runStepsAsync(work(), run);
        return () => resolve(value);
      };
      this.#queue.push({ perform, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  /** Resolves when all that was asked for is done. */
  async idle(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    // What is asked for in the same breath goes along.
    await undefined;
    while (this.#queue.length > 0) {
      const jobs = this.#queue.splice(0, AGENT_LIMITS.groupedChanges);
      const failed = await this.#attempt(jobs);
      if (failed === undefined) continue;
      if (jobs.length === 1) jobs[0]?.reject(failed.error);
      else for (const job of jobs) await this.#alone(job);
    }
    this.#writing = undefined;
  }

  async #alone(job: Job): Promise<void> {
    const failed = await this.#attempt([job]);
    if (failed !== undefined) job.reject(failed.error);
  }

  async #attempt(jobs: readonly Job[]): Promise<{ readonly error: unknown } | undefined> {
    let transaction: string | undefined;
    const settle: (() => void)[] = [];
    let client: PoolClient | undefined;
    try {
      client = await this.#pool.connect();
      const run = runOn(client);
      await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
      for (const { perform } of jobs) settle.push(await perform(run));
      const [row] = await run({ sql: 'SELECT pg_current_xact_id()::text AS id', values: [] });
      transaction = String(row?.['id']);
      await client.query('COMMIT');
      client.release();
    } catch (error) {
      // The connection goes, and the transaction with it.
      client?.release(true);
      if (transaction === undefined || !(await this.#isCommitted(transaction))) return { error };
    }
    for (const tell of settle) tell();
    return undefined;
  }

  /** A connection that breaks at the commit leaves it open whether that was done; the database knows. */
  async #isCommitted(transaction: string): Promise<boolean> {
    try {
      const { rows } = await this.#pool.query('SELECT pg_xact_status($1::xid8) AS status', [transaction]);
      return rows[0]?.status === 'committed';
    } catch {
      return false;
    }
  }
}

/** A connection as the steps want it. */
export function runOn(connection: Pool | PoolClient): (query: Query) => Promise<readonly Row[]> {
  return async ({ sql, values }) => (await connection.query<Row>(sql, [...values])).rows;
}
