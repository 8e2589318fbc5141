import { SPACE_STORE_LIMITS } from '../../../ports/space/limits.ts';
import type { Dialect } from './dialect.ts';
import { ask, type Steps } from './steps.ts';

/** The oldest rows of a table, up to and with a time; those that another process works on are left for the next time. */
export function* forgetOldest(
  table: string,
  key: string,
  age: string,
  upTo: number,
  { skipLocked }: Dialect,
  which = 'TRUE',
): Steps<void> {
  yield* ask(
    `WITH old AS MATERIALIZED (
        SELECT ${key} FROM ${table} WHERE ${age} <= $1 AND ${which} ORDER BY ${age} LIMIT $2${skipLocked}
      )
      DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM old)`,
    upTo,
    SPACE_STORE_LIMITS.sweptRows,
  );
}

const NOTHING_OWED = 'NOT EXISTS (SELECT 1 FROM space_queues WHERE space_queues.task = space_tasks.id)';

/** What belongs to a task goes with it. */
export function* forgetWhatIsOld(now: number, dialect: Dialect): Steps<void> {
  const { tokenMs, deadQueueMs, settledTaskMs, unsettledTaskMs } = SPACE_STORE_LIMITS;
  yield* forgetOldest('space_tokens', 'key', 'at', now - tokenMs, dialect);
  yield* forgetOldest('space_queues', 'number', 'died_at', now - deadQueueMs, dialect);
  for (const [settled, keptMs] of [
    [1, settledTaskMs],
    [0, unsettledTaskMs],
  ] as const) {
    const which = `settled = ${settled} AND ${NOTHING_OWED}`;
    yield* forgetOldest('space_tasks', 'id', 'updated_at', now - keptMs, dialect, which);
  }
}
