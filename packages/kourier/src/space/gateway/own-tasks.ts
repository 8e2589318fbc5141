import { arrayOf, idOf, isObject, type JsonObject, parseJson } from '@agentkourier/a2a/json-value';
import { type Principal, principalKey } from '../../core/access/principal.ts';
import type { GatewayParts, Target } from '../parts.ts';
import type { Words } from './print-refusal.ts';

/**
 * A page of an agent's tasks with those of the caller only: an agent that knows no callers lists everybody's. The page may
 * be shorter than asked for; its token leads on. What it counts in all is not told, since that would count others' tasks.
 */
export async function ownTasks(
  text: string,
  words: Words,
  { caller, target, parts }: { readonly caller: Principal; readonly target: Target; readonly parts: GatewayParts },
): Promise<string> {
  const value = parseJson(text);
  const page = isObject(value) ? (words.binding === 'JSONRPC' ? value['result'] : value) : undefined;
  if (!isObject(value) || !isObject(page)) return text;
  const { space, id: agent } = target.agent;
  const key = principalKey(caller);
  const isOwn = async (task: unknown): Promise<boolean> => {
    const id = isObject(task) ? idOf(task['id']) : undefined;
    return id !== undefined && (await parts.ledger.taskOfRemote(space, agent, id))?.caller === key;
  };
  const all = arrayOf(page['tasks']);
  const own = await Promise.all(all.map(isOwn));
  const tasks = all.filter((_, index) => own[index]);
  const shown: JsonObject = { ...page, tasks, ...('totalSize' in page ? { totalSize: tasks.length } : {}) };
  return JSON.stringify(words.binding === 'JSONRPC' ? { ...value, result: shown } : shown);
}
