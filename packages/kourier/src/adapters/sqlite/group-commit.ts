import type { Database, Statement } from 'better-sqlite3';

/** What one transaction carries at most, so that a burst does not hold up the event loop. */
const GROUP_OPERATIONS = 1_000;

interface Job {
  /** Does the work, and returns what tells the caller so. Done again when the transaction was undone. */
  readonly perform: () => () => void;
  readonly reject: (error: Error) => void;
}

/**
 * All work asked for in one turn of the event loop shares one transaction, and so one wait for the disk. Work that
 * throws is undone alone; when the commit fails, all of it is.
 */
export class GroupCommit {
  readonly #db: Database;
  readonly #explain: (error: unknown) => Error;
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #mark: Statement;
  readonly #undo: Statement;
  readonly #unmark: Statement;
  #queue: Job[] = [];
  #scheduled = false;

  constructor(db: Database, explain: (error: unknown) => Error) {
    this.#db = db;
    this.#explain = explain;
    this.#begin = db.prepare('BEGIN IMMEDIATE');
    this.#commit = db.prepare('COMMIT');
    this.#mark = db.prepare('SAVEPOINT job');
    this.#undo = db.prepare('ROLLBACK TO job');
    this.#unmark = db.prepare('RELEASE job');
  }

  /**
   * Resolves with what the work returns, once that is on the disk. Work runs in the order in which it was asked for, and
   * may run twice: it touches nothing but the database.
   */
  run<Value>(work: () => Value): Promise<Value> {
    return new Promise((resolve, reject) => {
      const perform = () => {
        const value = work();
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
    const jobs = this.#queue.splice(0, GROUP_OPERATIONS);
    if (jobs.length === 0) return;
    try {
      const settle = this.#together(jobs) ?? this.#apart(jobs);
      this.#commit.run();
      for (const tell of settle) tell();
    } catch (error) {
      const reason = this.#explain(error);
      this.#rollBack();
      for (const { reject } of jobs) reject(reason);
    }
  }

  /** Nearly always all work is good, and then needs no marks to go back to. `undefined`: some of it threw, all is undone. */
  #together(jobs: readonly Job[]): (() => void)[] | undefined {
    this.#begin.run();
    try {
      return jobs.map(({ perform }) => perform());
    } catch {
      this.#rollBack();
      return undefined;
    }
  }

  /** All work once more, each between marks, so that only what throws is undone. */
  #apart(jobs: readonly Job[]): (() => void)[] {
    this.#begin.run();
    return jobs.map((job) => this.#attempt(job));
  }

  #attempt({ perform, reject }: Job): () => void {
    this.#mark.run();
    try {
      const tell = perform();
      this.#unmark.run();
      return tell;
    } catch (error) {
      // A disk that fails can end the whole transaction: then nothing of the group stands.
      if (!this.#db.inTransaction) throw error;
      this.#undo.run();
      this.#unmark.run();
      const reason = this.#explain(error);
      return () => reject(reason);
    }
  }

  #rollBack(): void {
    try {
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
    } catch {
      // The next BEGIN then says that a transaction is open, and rejects in turn: nothing is acknowledged.
    }
  }
}
