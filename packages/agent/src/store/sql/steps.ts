/** One statement, with its values for `$1`, `$2` and so on. */
export interface Query {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

export type SqlValue = string | number | null;

export type Row = Readonly<Record<string, unknown>>;

/**
 * Work on a database, statement by statement, for whoever runs it: at once, as SQLite does, or over a network. It may be
 * run again when its transaction was undone, so make it anew each time.
 */
export type Steps<T> = Generator<Query, T, readonly Row[]>;

export function* ask(sql: string, ...values: SqlValue[]): Steps<readonly Row[]> {
  return yield { sql, values };
}

export function runSteps<T>(steps: Steps<T>, run: (query: Query) => readonly Row[]): T {
  let step = steps.next();
  while (!step.done) step = steps.next(run(step.value));
  return step.value;
}

export async function runStepsAsync<T>(steps: Steps<T>, run: (query: Query) => Promise<readonly Row[]>): Promise<T> {
  let step = steps.next();
  while (!step.done) step = steps.next(await run(step.value));
  return step.value;
}

/** A column that holds text. */
export const textOf = (row: Row, column: string): string => String(row[column]);

/** A column that holds a whole number, which a driver may give as text. */
export const numberOf = (row: Row, column: string): number => Number(row[column]);
