import { SPACE_STORE_LIMITS } from '../../../ports/space/limits.ts';
import type {
  ClaimOptions,
  DeadQueue,
  FailedAttempt,
  HeldQueue,
  OwedDelivery,
  OwedSink,
  Queue,
  Sink,
} from '../../../ports/space/outbox-store.ts';
import type { OwedEvent, PlatformTask } from '../../../ports/space/task-ledger.ts';
import type { Dialect } from './dialect.ts';
import { countedId, digest, lookedUp } from './keys.ts';
import { pageCursor, readCursor } from './page-cursor.ts';
import { ask, jsonOf, maybe, numberOf, type Row, type Steps, textOf } from './steps.ts';

const QUEUE = 'number, space, sink, task, attempts, refusals, last_error';

/** Whoever owes holds the lock of the task, so that a queue's events are in the order of their numbers. */
export function* oweEvent(task: PlatformTask, { sink, payload }: OwedEvent, at: number): Steps<void> {
  const [row] = yield* ask(
    `INSERT INTO space_queues (task, sink_key, sink, space, events, attempts, hold, due_at)
      VALUES ($1, $2, $3, $4, 1, 0, 0, $5)
      ON CONFLICT (task, sink_key) DO UPDATE SET events = space_queues.events + 1 RETURNING number, events`,
    task.id,
    digest(sink),
    JSON.stringify(sink),
    task.space,
    at,
  );
  const queue = numberOf(row ?? {}, 'number');
  if (numberOf(row ?? {}, 'events') > SPACE_STORE_LIMITS.queueEvents) {
    const last = 'SELECT max(number) FROM space_events WHERE queue = $1';
    yield* ask(`DELETE FROM space_events WHERE number = (${last})`, queue);
    yield* ask('UPDATE space_queues SET events = events - 1 WHERE number = $1', queue);
  }
  yield* ask('INSERT INTO space_events (queue, payload, owed_at) VALUES ($1, $2, $3)', queue, payload, at);
}

const firstOfSink = (where: string, order: string): string =>
  `(SELECT number FROM space_queues WHERE died_at IS NULL AND ${where} ORDER BY ${order} LIMIT 1)`;

/** From the first queue of one sink to that of the next, of this Space or of a later one: those between are not read. */
const OWED_SINKS = `WITH RECURSIVE firsts (number) AS (
    SELECT ${firstOfSink("space > ''", 'space, sink_key, due_at')}
    UNION ALL
    SELECT coalesce(
      ${firstOfSink('space = last.space AND sink_key > last.sink_key', 'sink_key, due_at')},
      ${firstOfSink('space > last.space', 'space, sink_key, due_at')}
    ) FROM firsts JOIN space_queues AS last ON last.number = firsts.number
  )
  SELECT space, sink, due_at FROM firsts JOIN space_queues AS queue ON queue.number = firsts.number`;

export function* readOwedSinks(): Steps<readonly OwedSink[]> {
  const rows = yield* ask(OWED_SINKS);
  return rows.map((row) => ({ ...sinkOf(row), dueAt: numberOf(row, 'due_at') }));
}

export function* claimQueues(
  { space, sink, now, until, limit }: ClaimOptions,
  dialect: Dialect,
): Steps<readonly HeldQueue[]> {
  yield* ask(
    `UPDATE space_queues SET due_at = $3
      WHERE space = $1 AND sink_key = $2 AND died_at IS NULL AND due_at > $4 AND held_since IS NULL`,
    lookedUp(space),
    digest(sink),
    now,
    now + SPACE_STORE_LIMITS.putOffMs,
  );
  // Chosen once and before the update: PostgreSQL might else choose again while it joins.
  const rows = yield* ask(
    `WITH due AS MATERIALIZED (
        SELECT number FROM space_queues WHERE space = $1 AND sink_key = $2 AND died_at IS NULL AND due_at <= $3
          ORDER BY due_at LIMIT $4${dialect.skipLocked}
      )
      UPDATE space_queues SET due_at = $5, held_since = $3, hold = hold + 1 WHERE number IN (SELECT number FROM due)
      RETURNING ${QUEUE}, hold`,
    lookedUp(space),
    digest(sink),
    now,
    limit,
    until,
  );
  return rows.map((row) => ({ ...queueOf(row), hold: numberOf(row, 'hold') }));
}

export function* readOwed(queueId: string, limit: number): Steps<readonly OwedDelivery[]> {
  const rows = yield* ask(
    'SELECT number, payload, owed_at FROM space_events WHERE queue = $1 ORDER BY number LIMIT $2',
    countedId(queueId),
    limit,
  );
  return rows.map((row) => ({
    sequence: numberOf(row, 'number'),
    payload: textOf(row, 'payload'),
    owedAt: numberOf(row, 'owed_at'),
  }));
}

export function* forgetDelivered({ id, hold }: HeldQueue, sequence: number, dialect: Dialect): Steps<boolean> {
  const number = countedId(id);
  const [queue] = yield* ask(
    `SELECT events, hold, died_at FROM space_queues WHERE number = $1${dialect.forUpdate}`,
    number,
  );
  if (queue === undefined) return false;
  const taken = yield* ask(
    'DELETE FROM space_events WHERE queue = $1 AND number <= $2 RETURNING number',
    number,
    sequence,
  );
  const events = numberOf(queue, 'events') - taken.length;
  if (events === 0) {
    yield* ask('DELETE FROM space_queues WHERE number = $1', number);
    return false;
  }
  if (taken.length > 0) {
    yield* ask(
      'UPDATE space_queues SET events = $1, attempts = 0, refusals = 0, last_error = NULL WHERE number = $2',
      events,
      number,
    );
  }
  return numberOf(queue, 'hold') === hold && queue['died_at'] === null;
}

const HELD = 'number = $1 AND hold = $2 AND died_at IS NULL';

export function* releaseQueue({ id, hold }: HeldQueue, now: number): Steps<void> {
  yield* ask(
    `UPDATE space_queues SET due_at = $3, held_since = NULL, hold = hold + 1 WHERE ${HELD}`,
    countedId(id),
    hold,
    now,
  );
}

/** For whoever is alone on the database: what is held was held by a process that is no more. It is due as it was then. */
export function* releaseAll(): Steps<void> {
  yield* ask(
    'UPDATE space_queues SET due_at = held_since, held_since = NULL, hold = hold + 1 WHERE held_since IS NOT NULL',
  );
}

export function* failQueue(
  { id, hold }: HeldQueue,
  { error, refused = false, dueAt, now }: FailedAttempt,
): Steps<void> {
  yield* ask(
    `UPDATE space_queues SET attempts = attempts + 1, refusals = refusals + $6, last_error = $3, due_at = $4,
        died_at = $5, held_since = NULL, hold = hold + 1
      WHERE ${HELD}`,
    countedId(id),
    hold,
    error,
    dueAt ?? now,
    dueAt === undefined ? now : null,
    refused ? 1 : 0,
  );
}

export function* readDead(
  space: string,
  { cursor, limit }: { readonly cursor?: string; readonly limit: number },
): Steps<{ readonly queues: readonly DeadQueue[]; readonly cursor?: string }> {
  const { at, id } = cursor === undefined ? { at: 0, id: '0' } : readCursor(cursor);
  const rows = yield* ask(
    `SELECT ${QUEUE}, events, died_at FROM space_queues
      WHERE space = $1 AND died_at IS NOT NULL AND (died_at, number) > ($2, $3) ORDER BY died_at, number LIMIT $4`,
    lookedUp(space),
    at,
    countedId(id),
    limit + 1,
  );
  const queues = rows.slice(0, limit).map((row) => ({
    ...queueOf(row),
    events: numberOf(row, 'events'),
    diedAt: numberOf(row, 'died_at'),
  }));
  const last = queues.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { queues, ...(more && { cursor: pageCursor(last.diedAt, last.id) }) };
}

export function* replayQueue(space: string, queueId: string, now: number): Steps<boolean> {
  const rows = yield* ask(
    `UPDATE space_queues SET died_at = NULL, attempts = 0, refusals = 0, last_error = NULL, due_at = $3
      WHERE number = $1 AND space = $2 AND died_at IS NOT NULL RETURNING number`,
    countedId(queueId),
    lookedUp(space),
    now,
  );
  return rows.length > 0;
}

export function* countOutbox(): Steps<{ readonly dead: number; readonly owed: number }> {
  const [row] = yield* ask('SELECT count(died_at) AS dead, coalesce(sum(events), 0) AS owed FROM space_queues');
  return { dead: numberOf(row ?? {}, 'dead'), owed: numberOf(row ?? {}, 'owed') };
}

const sinkOf = (row: Row): Sink => ({ space: textOf(row, 'space'), sink: jsonOf<string>(row, 'sink') });

function queueOf(row: Row): Queue {
  const lastError = maybe(row, 'last_error', textOf);
  return {
    id: textOf(row, 'number'),
    ...sinkOf(row),
    taskId: textOf(row, 'task'),
    attempts: numberOf(row, 'attempts'),
    refusals: numberOf(row, 'refusals'),
    ...(lastError !== undefined && { lastError }),
  };
}
