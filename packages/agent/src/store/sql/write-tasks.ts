import { AGENT_LIMITS } from '../../limits.ts';
import type { Begun, TaskRecord } from '../task-store.ts';
import type { ChangeRows, EntryRow } from './change-rows.ts';
import { STILL } from './migrations.ts';
import { readTask } from './read-tasks.ts';
import { type Retention, sweepMemories, sweepShelf } from './retention.ts';
import { ask, numberOf, type Steps, textOf } from './steps.ts';

/** Who writes, and what is kept. */
export interface Writer {
  /** The process that works on what it writes. */
  readonly process: string;
  readonly retention: Retention;
}

/**
 * The number of this change. Taking it is the first step of every change, so that changes of several processes are made
 * one after the other: what a later one reads does not move under it, and numbers become visible in their order.
 */
export function* nextSequence(): Steps<number> {
  const [row] = yield* ask('UPDATE agent_store SET sequence = sequence + 1 RETURNING sequence');
  if (row === undefined) throw new Error('the store has lost its counter');
  return numberOf(row, 'sequence');
}

export function* beginTask(change: ChangeRows, keys: readonly string[], writer: Writer): Steps<Begun> {
  const sequence = yield* nextSequence();
  // The first key is the one as sent.
  const known = yield* taskOfMessage(keys[0] ?? '');
  if (known !== undefined) return { kind: 'known', taskId: known };
  const busy = yield* ask('SELECT id FROM agent_tasks WHERE context = $1 AND running = 1 LIMIT 1', change.context);
  if (busy.length > 0) return { kind: 'busy' };
  yield* ask(
    'INSERT INTO agent_tasks (id, owner, context, head, status, state, running, version, characters, process) ' +
      "VALUES ($1, $2, $3, $4, '', '', 0, $5, 0, '')",
    change.id,
    change.owner,
    change.context,
    change.head,
    change.version,
  );
  for (const key of keys) yield* ask('INSERT INTO agent_messages (key, task) VALUES ($1, $2)', key, change.id);
  yield* write(change, sequence, writer);
  return { kind: 'begun' };
}

/**
 * Whether it was written: not when another version stands there. `behind` has the tasks of which a change was not: the
 * next number would be right again, and what it counts would not be.
 */
export function* commitChange(
  change: ChangeRows,
  writer: Writer,
  behind: WeakSet<object>,
  task: object,
): Steps<boolean> {
  if (behind.has(task)) return false;
  const written = yield* write(change, yield* nextSequence(), writer);
  if (!written) behind.add(task);
  return written;
}

/** Makes a running task this process's own, as it stands then. */
export function* takeTask(id: string, writer: Writer): Steps<TaskRecord | undefined> {
  yield* nextSequence();
  yield* ask(
    'UPDATE agent_tasks SET version = version + 1, process = $1 WHERE id = $2 AND running = 1',
    writer.process,
    id,
  );
  return yield* readTask(id);
}

export function* taskOfMessage(key: string): Steps<string | undefined> {
  const [row] = yield* ask('SELECT task FROM agent_messages WHERE key = $1', key);
  return row === undefined ? undefined : textOf(row, 'task');
}

function* write(change: ChangeRows, sequence: number, writer: Writer): Steps<boolean> {
  const { id, shelf, memory } = change;
  const written = yield* ask(
    'UPDATE agent_tasks SET status = $1, state = $2, running = $3, version = version + 1, characters = $4, ' +
      'process = $5, shelf = $6, shelved = $7 WHERE id = $8 AND version = $9 RETURNING id',
    change.status,
    change.state,
    change.running ? 1 : 0,
    change.characters,
    change.running ? writer.process : '',
    shelf,
    shelf === null ? null : sequence,
    id,
    change.version,
  );
  if (written.length === 0) return false;
  for (const [nth, entry] of change.entries.entries()) yield* addEntry(change, entry, nth);
  yield* stamp(change, sequence);
  if (memory !== undefined) {
    yield* ask(
      'INSERT INTO agent_memories (context, body, sequence) VALUES ($1, $2, $3) ' +
        'ON CONFLICT (context) DO UPDATE SET body = excluded.body, sequence = excluded.sequence',
      change.context,
      memory,
      sequence,
    );
    if (writer.retention.contexts.isDue()) yield* sweepMemories(writer.retention.contexts.keep);
  }
  if (shelf !== null && writer.retention[shelf].isDue()) yield* sweepShelf(shelf, writer.retention[shelf].keep);
  return true;
}

const OF_ARTIFACT = "kind = 'artifact' AND task = $1 AND artifact = $2";

/** What replaces an artifact stands where it stood, among the others, and nothing is left of what it replaced. */
function* addEntry({ id, version }: ChangeRows, entry: EntryRow, nth: number): Steps<void> {
  const { kind, body, artifact, replaces } = entry;
  if (replaces) {
    const [first] = yield* ask(
      `SELECT version, nth FROM agent_entries WHERE ${OF_ARTIFACT} ORDER BY version, nth LIMIT 1`,
      id,
      artifact,
    );
    if (first !== undefined) {
      const place = [numberOf(first, 'version'), numberOf(first, 'nth')] as const;
      yield* ask(`DELETE FROM agent_entries WHERE ${OF_ARTIFACT}`, id, artifact);
      yield* insertEntry(id, place, { kind, body, artifact });
      return;
    }
  }
  yield* insertEntry(id, [version, nth], { kind, body, artifact });
}

function* insertEntry(
  id: string,
  [version, nth]: readonly [number, number],
  { kind, body, artifact }: Pick<EntryRow, 'kind' | 'body' | 'artifact'>,
): Steps<void> {
  yield* ask(
    'INSERT INTO agent_entries (task, version, nth, kind, artifact, body) VALUES ($1, $2, $3, $4, $5, $6)',
    id,
    version,
    nth,
    kind,
    artifact,
    body,
  );
}

/** A change that leaves the status as it is moves the task nowhere. */
function* stamp({ id, owner, at }: ChangeRows, sequence: number): Steps<void> {
  const last = 'SELECT since, at FROM agent_stamps WHERE task = $1 ORDER BY since DESC LIMIT 1';
  const [current] = yield* ask(last, id);
  if (current !== undefined && numberOf(current, 'at') === at) return;
  if (current !== undefined) {
    const since = numberOf(current, 'since');
    yield* ask('UPDATE agent_stamps SET until = $1 WHERE task = $2 AND since = $3', sequence, id, since);
    // What no walk asks for any more, whoever's it is.
    const forgotten = sequence - AGENT_LIMITS.walkChanges;
    yield* ask(`DELETE FROM agent_stamps WHERE until < ${STILL} AND until <= $1`, forgotten);
  }
  yield* ask(
    'INSERT INTO agent_stamps (task, since, until, owner, at) VALUES ($1, $2, $3, $4, $5)',
    id,
    sequence,
    STILL,
    owner,
    at,
  );
}
