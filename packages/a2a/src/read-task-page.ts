import { arrayOf, idOf, isObject, objectOf } from './json-value.ts';
import type { Task } from './model.ts';
import { taskOf } from './read-task.ts';

/** A page of ListTasks. Absent, `null` and empty tokens all mean the last page (case C128). */
export interface TaskPage {
  readonly tasks: readonly Task[];
  readonly nextPageToken: string | undefined;
  /** Tasks that match on all pages, where the agent says it. */
  readonly totalSize: number | undefined;
}

/** The result of ListTasks; `undefined` when it is none. */
export function readTaskPage(value: unknown): TaskPage | undefined {
  const page = objectOf<'tasks' | 'nextPageToken' | 'next_page_token' | 'totalSize'>(value);
  if (page === undefined) return undefined;
  // ProtoJSON leaves an empty list out.
  if (page.tasks !== undefined && page.tasks !== null && !Array.isArray(page.tasks)) return undefined;
  const tasks = arrayOf(page.tasks).filter(isObject).map(taskOf);
  const totalSize = typeof page.totalSize === 'number' ? page.totalSize : undefined;
  return { tasks, nextPageToken: idOf(page.nextPageToken ?? page.next_page_token), totalSize };
}
