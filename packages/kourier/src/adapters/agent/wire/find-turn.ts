import type { Task } from '@agentkourier/a2a/model';
import type { ListQuery } from '@agentkourier/a2a/outgoing';
import { readTaskPage } from '@agentkourier/a2a/read-task-page';
import { LIMITS } from '../../../core/limits.ts';
import type { TaskId } from '../../../core/thread/ids.ts';
import type { Lookup } from '../../../ports/agent.ts';
import type { ResultReading } from './call.ts';
import { unknown } from './failures.ts';

/** Decision 7: history is asked for, or every turn would look absent (case C130). */
const HISTORY_LENGTH = 100;

/**
 * Walks the pages of ListTasks for the task that holds a message (rule M5). A token that comes again, or a page that
 * holds nothing new, ends the walk (decision 7, cases C127 and C128).
 */
export async function findTurn(
  turn: { readonly contextId: string; readonly messageId: string },
  list: (query: ListQuery) => Promise<ResultReading>,
): Promise<Lookup> {
  const tokens = new Set<string>();
  const seen = new Set<string>();
  let pageToken: string | undefined;
  for (let pages = 0; pages < LIMITS.listPages; pages += 1) {
    const query = { contextId: turn.contextId, historyLength: HISTORY_LENGTH, includeArtifacts: false };
    const reading = await list(pageToken === undefined ? query : { ...query, pageToken });
    if (reading.kind !== 'result') return reading;
    const page = readTaskPage(reading.result);
    if (page === undefined) return unknown('the answer to ListTasks is no list of tasks');
    const taskId = holderOf(turn.messageId, page.tasks);
    if (taskId !== undefined) return { kind: 'found', taskId };
    const known = seen.size;
    for (const { id } of page.tasks) if (id !== undefined) seen.add(id);
    pageToken = page.nextPageToken;
    if (pageToken === undefined || tokens.has(pageToken) || seen.size === known) break;
    tokens.add(pageToken);
  }
  return { kind: 'absent' };
}

function holderOf(messageId: string, tasks: readonly Task[]): TaskId | undefined {
  const holder = tasks.find(({ id, history }) => {
    const isUsable = id !== undefined && id.length <= LIMITS.idCharacters;
    return isUsable && history.some((message) => message.messageId === messageId);
  });
  return holder?.id as TaskId | undefined;
}
