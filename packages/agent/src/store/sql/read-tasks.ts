import { AGENT_LIMITS } from '../../limits.ts';
import { type ArtifactChange, Artifacts } from '../../task/artifacts.ts';
import type { WireMessage } from '../../task/wire.ts';
import { readPageToken, writePageToken } from '../page-token.ts';
import type { JournalEntry, Json, ListedTasks, ListRequest, TaskRecord } from '../task-store.ts';
import { contextKey, ownerKey } from './keys.ts';
import { ask, numberOf, type Row, type SqlValue, type Steps, textOf } from './steps.ts';

export function* readTask(id: string): Steps<TaskRecord | undefined> {
  // No database takes it in a text, and we made no such id.
  if (id.includes('\0')) return undefined;
  // One statement: a task that another process goes on with meanwhile is read as it stood at one moment.
  const rows = yield* ask(
    'SELECT 0 AS part, version, 0 AS nth, head AS kind, status AS body, characters FROM agent_tasks WHERE id = $1 ' +
      'UNION ALL SELECT 1, version, nth, kind, body, 0 FROM agent_entries WHERE task = $1 ORDER BY part, version, nth',
    id,
  );
  const [task, ...entries] = rows;
  if (task === undefined || numberOf(task, 'part') !== 0) return undefined;
  return { ...foldEntries(entries), ...headOf(task) };
}

type Head = Pick<TaskRecord, 'id' | 'contextId' | 'owner' | 'skillId'>;

function headOf(task: Row): Omit<TaskRecord, 'history' | 'artifacts' | 'journal'> {
  return {
    ...(JSON.parse(textOf(task, 'kind')) as Head),
    status: JSON.parse(textOf(task, 'body')),
    version: numberOf(task, 'version'),
    characters: numberOf(task, 'characters'),
  };
}

function foldEntries(entries: readonly Row[]): Pick<TaskRecord, 'history' | 'artifacts' | 'journal'> {
  const history: WireMessage[] = [];
  const journal: JournalEntry[] = [];
  const artifacts = new Artifacts();
  for (const row of entries) {
    const body: unknown = JSON.parse(textOf(row, 'body'));
    const kind = textOf(row, 'kind');
    if (kind === 'message') history.push(body as WireMessage);
    else if (kind === 'journal') journal.push(body as JournalEntry);
    else artifacts.apply(body as ArtifactChange);
  }
  return { history, artifacts: artifacts.all(), journal };
}

export function* readMemory(owner: string, contextId: string): Steps<Json | undefined> {
  const [row] = yield* ask('SELECT body FROM agent_memories WHERE context = $1', contextKey(owner, contextId));
  return row === undefined ? undefined : (JSON.parse(textOf(row, 'body')) as Json);
}

/** A page ends early rather than being too much to hold. */
export function* listTasks(request: ListRequest): Steps<ListedTasks> {
  const [store] = yield* ask('SELECT identity, sequence FROM agent_store');
  if (store === undefined) throw new Error('the store has lost its counter');
  const [identity, sequence] = [textOf(store, 'identity'), numberOf(store, 'sequence')];
  const cursor = request.pageToken === undefined ? undefined : readPageToken(request.pageToken, identity, sequence);
  const asOf = cursor?.asOf ?? sequence;
  const walk = walkOf(request, asOf);
  const [counted] = yield* ask(`SELECT count(*) AS total ${walk.sql}`, ...walk.values);
  const rest = cursor === undefined ? walk : past(walk, cursor);
  const rows = yield* ask(
    `SELECT s.task, s.at ${rest.sql} ORDER BY s.at DESC, s.task LIMIT $${rest.values.length + 1}`,
    ...rest.values,
    request.pageSize + 1,
  );
  const page: { readonly task: TaskRecord; readonly at: number }[] = [];
  let characters = 0;
  let read = 0;
  for (const row of rows.slice(0, request.pageSize)) {
    if (characters > AGENT_LIMITS.pageCharacters) break;
    read += 1;
    const task = yield* readTask(textOf(row, 'task'));
    // It was forgotten meanwhile.
    if (task === undefined) continue;
    characters += task.characters;
    page.push({ task, at: numberOf(row, 'at') });
  }
  return {
    tasks: page.map(({ task }) => task),
    tokenAfter: (index) => {
      const { task, at } = page[index] ?? { task: { id: '' }, at: 0 };
      return writePageToken(identity, { asOf, at, id: task.id });
    },
    more: read < rows.length,
    totalSize: counted === undefined ? 0 : numberOf(counted, 'total'),
  };
}

interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/**
 * The tasks of a walk, where they stood when it began. Each is looked for where fewest are: in its context, among the
 * owner's of a state, or else among all of the owner's. A context is of one owner.
 */
function walkOf({ owner, contextId, state, changedSince }: ListRequest, asOf: number): Condition {
  const tests: string[] = ['s.since <= $1', 's.until > $1'];
  const values: SqlValue[] = [asOf];
  const and = (test: string, value: SqlValue) => {
    values.push(value);
    tests.push(`${test} $${values.length}`);
  };
  if (contextId !== undefined) and('t.context =', contextKey(owner, contextId));
  else and(state === undefined ? 's.owner =' : 't.owner =', ownerKey(owner));
  if (state !== undefined) and('t.state =', state);
  if (changedSince !== undefined) and('s.at >=', changedSince);
  const tasks = contextId === undefined && state === undefined ? '' : 'JOIN agent_tasks t ON t.id = s.task';
  return { sql: `FROM agent_stamps s ${tasks} WHERE ${tests.join(' AND ')}`, values };
}

function past({ sql, values }: Condition, { at, id }: { readonly at: number; readonly id: string }): Condition {
  const next = values.length + 1;
  return {
    sql: `${sql} AND (s.at < $${next} OR (s.at = $${next} AND s.task > $${next + 1}))`,
    values: [...values, at, id],
  };
}
