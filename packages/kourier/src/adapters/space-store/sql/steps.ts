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
export type Steps<Value> = Generator<Query, Value, readonly Row[]>;

export function* ask(sql: string, ...values: SqlValue[]): Steps<readonly Row[]> {
  return yield { sql, values };
}

export function runSteps<Value>(steps: Steps<Value>, run: (query: Query) => readonly Row[]): Value {
  let step = steps.next();
  while (!step.done) step = steps.next(run(step.value));
  return step.value;
}

export async function runStepsAsync<Value>(
  steps: Steps<Value>,
  run: (query: Query) => Promise<readonly Row[]>,
): Promise<Value> {
  let step = steps.next();
  while (!step.done) step = steps.next(await run(step.value));
  return step.value;
}

/** A column that holds text. */
export const textOf = (row: Row, column: string): string => String(row[column]);

/** A column that holds a whole number, which a driver may give as text. */
export const numberOf = (row: Row, column: string): number => Number(row[column]);

/** A column that may be empty. */
export function maybe<Value>(row: Row, column: string, read: (row: Row, column: string) => Value): Value | undefined {
  return row[column] === null ? undefined : read(row, column);
}

/** A column that holds JSON text of our own making. */
export function jsonOf<Value>(row: Row, column: string): Value {
  return JSON.parse(textOf(row, column));
}
