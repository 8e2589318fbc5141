import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { AGENT_LIMITS } from '../../limits.ts';
import { type Query, type Row, runSteps, type Steps } from '../sql/steps.ts';

interface Job {
  /** Does the work, and returns what tells the caller so. Done again when its transaction was undone. */
  readonly perform: () => () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * All changes that are asked for in one turn of the event loop share one transaction, and so one wait for the disk. When
 * it fails, each is tried alone, so that none fails for another.
 */
export class GroupCommit {
  readonly #db: DatabaseSync;
  readonly #explain: (error: unknown) => unknown;
  readonly #statements = new Map<string, StatementSync>();
  #queue: Job[] = [];
  #scheduled = false;

  constructor(db: DatabaseSync, explain: (error: unknown) => unknown) {
    this.#db = db;
    this.#explain = explain;
  }

  /** Reads what is committed, at once. */
  read<T>(steps: Steps<T>): T {
    try {
      return runSteps(steps, this.#run);
    } catch (error) {
      throw this.#explain(error);
    }
  }

  /** Resolves with what the work returns, once that is on the disk. Work is done in the order in which it was asked for. */
  write<T>(work: () => Steps<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const perform = () => {
        const value = runSteps(work(), this.#run);
        return () => resolve(value);
      };
      this.#queue.push({ perform, reject });
      this.#schedule();
    });
  }

  /** Does at once all that was asked for. */
  drain(): void {
    while (this.#queue.length > 0) this.#flush();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#flush();
      if (this.#queue.length > 0) this.#schedule();
    });
  }

  #flush(): void {
    const jobs = this.#queue.splice(0, AGENT_LIMITS.groupedChanges);
    if (jobs.length === 0) return;
    const failed = this.#attempt(jobs);
    if (failed === undefined) return;
    if (jobs.length === 1) jobs[0]?.reject(this.#explain(failed.error));
    else for (const job of jobs) this.#alone(job);
  }

  #alone(job: Job): void {
    const failed = this.#attempt([job]);
    if (failed !== undefined) job.reject(this.#explain(failed.error));
  }

  #attempt(jobs: readonly Job[]): { readonly error: unknown } | undefined {
    try {
      this.#db.exec('BEGIN IMMEDIATE');
      const settle = jobs.map(({ perform }) => perform());
      this.#db.exec('COMMIT');
      for (const tell of settle) tell();
      return undefined;
    } catch (error) {
      this.#rollBack();
      return { error };
    }
  }

  #rollBack(): void {
    try {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
    } catch {
      // The next BEGIN then says that a transaction is open, and rejects in turn: nothing is acknowledged.
    }
  }

  readonly #run = ({ sql, values }: Query): readonly Row[] => {
    const statement = this.#statements.get(sql) ?? this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement.all(Object.fromEntries(values.map((value, index) => [index + 1, value])));
  };
}
