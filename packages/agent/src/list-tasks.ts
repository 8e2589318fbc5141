import { AGENT_LIMITS } from './limits.ts';
import type { LiveTask, Stamp } from './live-task.ts';
import type { ListParams } from './params.ts';
import { invalidParams } from './rpc-error.ts';
import type { WireTask } from './wire.ts';

export interface TaskPage {
  readonly tasks: readonly WireTask[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
  readonly pageSize: number;
  readonly totalSize: number;
}

/** Where a walk stands: the moment it began, and the last task that it showed. */
interface Cursor {
  readonly asOf: number;
  readonly at: number;
  readonly id: string;
}

interface Row {
  readonly task: LiveTask;
  readonly stamp: Stamp;
}

/**
 * One page, newest status first, equal times ordered by id (case C127). All pages of a walk are ordered as the tasks
 * stood when it began, so that a task that moves on meanwhile is neither skipped nor shown twice; tasks that are
 * younger than the walk are left to the next one. A page may end early, past a limit of characters.
 */
export function listTasks(tasks: Iterable<LiveTask>, params: ListParams, sequence: number): TaskPage {
  const cursor = params.pageToken === undefined ? undefined : readToken(params.pageToken);
  const asOf = cursor?.asOf ?? sequence;
  const rows = [...rowsOf(tasks, params, asOf)].sort(compare);
  const rest = cursor === undefined ? rows : rows.filter((row) => isPast(row, cursor));
  const shown: WireTask[] = [];
  let characters = 0;
  for (const { task } of rest.slice(0, params.pageSize)) {
    if (characters > AGENT_LIMITS.pageCharacters) break;
    const entry = task.snapshot({ historyLength: params.historyLength, artifacts: params.includeArtifacts });
    characters += JSON.stringify(entry).length;
    shown.push(entry);
  }
  const last = shown.length < rest.length ? rest[shown.length - 1] : undefined;
  return {
    tasks: shown,
    nextPageToken: last === undefined ? '' : writeToken({ asOf, at: last.stamp.at, id: last.task.id }),
    pageSize: params.pageSize,
    totalSize: rows.length,
  };
}

function* rowsOf(tasks: Iterable<LiveTask>, params: ListParams, asOf: number): Iterable<Row> {
  for (const task of tasks) {
    const stamp = task.stampAsOf(asOf);
    if (stamp === undefined) continue;
    if (params.contextId !== undefined && task.contextId !== params.contextId) continue;
    if (params.status !== undefined && task.state !== params.status) continue;
    if (params.changedSince !== undefined && stamp.at < params.changedSince) continue;
    yield { task, stamp };
  }
}

function compare(a: Row, b: Row): number {
  if (a.stamp.at !== b.stamp.at) return b.stamp.at - a.stamp.at;
  return a.task.id < b.task.id ? -1 : 1;
}

function isPast(row: Row, cursor: Cursor): boolean {
  return row.stamp.at < cursor.at || (row.stamp.at === cursor.at && row.task.id > cursor.id);
}

function writeToken({ asOf, at, id }: Cursor): string {
  return Buffer.from(JSON.stringify([asOf, at, id])).toString('base64url');
}

function readToken(token: string): Cursor {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (Array.isArray(value)) {
      const [asOf, at, id] = value as unknown[];
      if (typeof asOf === 'number' && typeof at === 'number' && typeof id === 'string') return { asOf, at, id };
    }
  } catch {
    // Not ours: refused below.
  }
  throw invalidParams('pageToken is not one that this agent gave.');
}
