import type {
  Observed,
  PlatformState,
  PlatformTask,
  Prepared,
  TaskToPrepare,
} from '../../../ports/space/task-ledger.ts';
import type { Dialect } from './dialect.ts';
import { digest, lookedUp, written } from './keys.ts';
import { oweEvent } from './outbox.ts';
import { pageCursor, readCursor } from './page-cursor.ts';
import { ask, jsonOf, maybe, numberOf, type Row, type SqlValue, type Steps, textOf } from './steps.ts';

type Body = Pick<PlatformTask, 'versionId' | 'caller' | 'remoteTaskId' | 'remoteContextId'>;

const SETTLED: readonly (PlatformState | undefined)[] = ['completed', 'failed', 'canceled', 'rejected'];

const TASKS = 'SELECT id, space, agent, state, created_at, updated_at, body FROM space_tasks';

const remoteKey = ({ space, agent }: Pick<PlatformTask, 'space' | 'agent'>, remoteTaskId: string): string =>
  digest(space, agent, remoteTaskId);

export function* prepareTask({ task, idempotency }: TaskToPrepare): Steps<Prepared> {
  const { id, space, agent, caller, versionId, createdAt, updatedAt } = task;
  if (idempotency !== undefined) {
    const key = digest(space, caller, idempotency.token);
    const request = digest(idempotency.requestSha256);
    // A process that uses the token at the same time makes this one wait until it is certain who was first.
    const first = yield* ask(
      `INSERT INTO space_tokens (key, task, request_sha256, at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (key) DO NOTHING RETURNING key`,
      key,
      written(id),
      request,
      createdAt,
    );
    if (first.length === 0) return yield* repeated(key, request);
  }
  const body: Body = { versionId, caller };
  yield* ask(
    `INSERT INTO space_tasks (id, space, agent, caller, settled, created_at, updated_at, body)
      VALUES ($1, $2, $3, $4, 0, $5, $6, $7)`,
    written(id),
    written(space),
    written(agent),
    digest(caller),
    createdAt,
    updatedAt,
    JSON.stringify(body),
  );
  return { kind: 'prepared', task: { id, space, agent, ...body, createdAt, updatedAt } };
}

function* repeated(key: string, request: string): Steps<Prepared> {
  const [token] = yield* ask('SELECT task, request_sha256 FROM space_tokens WHERE key = $1', key);
  const task = token && (yield* readTask(textOf(token, 'task')));
  // It was forgotten in this very moment, after all its time: neither answer is wrong then.
  if (task === undefined || textOf(token ?? {}, 'request_sha256') !== request) return { kind: 'conflict' };
  return { kind: 'repeated', task };
}

export function* observe(observed: Observed, dialect: Dialect): Steps<'recorded' | 'settled' | 'conflict'> {
  const [row] = yield* ask(`${TASKS} WHERE id = $1${dialect.forUpdate}`, lookedUp(observed.taskId));
  if (row === undefined) return 'conflict';
  const task = taskOf(row);
  if (differs(task.remoteTaskId, observed.remoteTaskId)) return 'conflict';
  if (differs(task.remoteContextId, observed.remoteContextId)) return 'conflict';
  if (SETTLED.includes(task.state)) return 'settled';
  const { remoteTaskId = task.remoteTaskId, remoteContextId = task.remoteContextId, state = task.state } = observed;
  if (remoteTaskId !== undefined && task.remoteTaskId === undefined && !(yield* bind(task, remoteTaskId))) {
    return 'conflict';
  }
  const body: Body = {
    versionId: task.versionId,
    caller: task.caller,
    ...(remoteTaskId !== undefined && { remoteTaskId }),
    ...(remoteContextId !== undefined && { remoteContextId }),
  };
  yield* ask(
    'UPDATE space_tasks SET state = $1, settled = $2, updated_at = $3, body = $4 WHERE id = $5',
    state ?? null,
    SETTLED.includes(state) ? 1 : 0,
    Math.max(task.updatedAt, observed.at),
    JSON.stringify(body),
    task.id,
  );
  for (const event of observed.owed) yield* oweEvent(task, event, observed.at);
  return 'recorded';
}

const differs = (known: string | undefined, named: string | undefined): boolean =>
  known !== undefined && named !== undefined && known !== named;

/** Whether it is no other task's: the first that binds it has it. Nothing else may be written before. */
function* bind(task: PlatformTask, remoteTaskId: string): Steps<boolean> {
  const bound = yield* ask(
    'INSERT INTO space_remote_tasks (key, task) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING RETURNING key',
    remoteKey(task, remoteTaskId),
    task.id,
  );
  return bound.length > 0;
}

export function* readTask(id: string): Steps<PlatformTask | undefined> {
  const [row] = yield* ask(`${TASKS} WHERE id = $1`, lookedUp(id));
  return row && taskOf(row);
}

export function* readTaskOfRemote(space: string, agent: string, remoteTaskId: string): Steps<PlatformTask | undefined> {
  const [row] = yield* ask(
    `${TASKS} WHERE id = (SELECT task FROM space_remote_tasks WHERE key = $1)`,
    remoteKey({ space, agent }, remoteTaskId),
  );
  return row && taskOf(row);
}

export function* listTasks(
  space: string,
  { caller, cursor, limit }: { readonly caller?: string; readonly cursor?: string; readonly limit: number },
): Steps<{ readonly tasks: readonly PlatformTask[]; readonly cursor?: string }> {
  const { at, id } = cursor === undefined ? { at: Number.MAX_SAFE_INTEGER, id: '' } : readCursor(cursor);
  const of: readonly SqlValue[] = caller === undefined ? [] : [digest(caller)];
  const rows = yield* ask(
    `${TASKS} WHERE space = $1 AND (created_at, id) < ($2, $3) ${caller === undefined ? '' : 'AND caller = $5'}
      ORDER BY created_at DESC, id DESC LIMIT $4`,
    lookedUp(space),
    at,
    lookedUp(id),
    limit + 1,
    ...of,
  );
  const tasks = rows.slice(0, limit).map(taskOf);
  const last = tasks.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { tasks, ...(more && { cursor: pageCursor(last.createdAt, last.id) }) };
}

function taskOf(row: Row): PlatformTask {
  const state = maybe(row, 'state', textOf);
  return {
    id: textOf(row, 'id'),
    space: textOf(row, 'space'),
    agent: textOf(row, 'agent'),
    ...jsonOf<Body>(row, 'body'),
    ...(state !== undefined && { state: state as PlatformState }),
    createdAt: numberOf(row, 'created_at'),
    updatedAt: numberOf(row, 'updated_at'),
  };
}
