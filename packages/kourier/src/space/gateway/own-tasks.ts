import { parseExact } from '@agentkourier/a2a/exact-json';
import { arrayOf, idOf, isObject, parseJson } from '@agentkourier/a2a/json-value';
import { type Principal, principalKey } from '../../core/access/principal.ts';
import { SPACE_LIMITS } from '../limits.ts';
import type { GatewayParts, Target } from '../parts.ts';
import { isEnvelope } from './heard.ts';
import type { Words } from './print-refusal.ts';
import { upstreamFailed } from './refusal.ts';

/**
 * A page of an agent's tasks with those of the caller only: an agent that knows no callers lists everybody's. The page may
 * be shorter than asked for; its token leads on. What it counts in all is not told, since that would count others' tasks.
 * Some agents of 0.3 answer with the bare list. Rejects with a `Refusal` where nobody can say whose what stands there is.
 */
export async function ownTasks(
  text: string,
  words: Words,
  { caller, target, parts }: { readonly caller: Principal; readonly target: Target; readonly parts: GatewayParts },
): Promise<string> {
  const value = parseJson(text);
  if (text === '' || tellsNoTasks(value, words)) return text;
  const { space, id: agent } = target.agent;
  const key = principalKey(caller);
  const isOwn = async (task: unknown): Promise<boolean> => {
    const id = isObject(task) ? idOf(task['id']) : undefined;
    return id !== undefined && (await parts.ledger.taskOfRemote(space, agent, id))?.caller === key;
  };
  const own = await Promise.all(tasksIn(isEnvelope(value, words) ? value['result'] : value).map(isOwn));
  const exact = parseExact(text);
  const shown = isEnvelope(exact, words) ? { ...exact, result: ownOf(exact['result'], own) } : ownOf(exact, own);
  return JSON.stringify(shown);
}

/** An error, or a result that is none. */
function tellsNoTasks(value: unknown, words: Words): boolean {
  if (!isEnvelope(value, words)) return value === null;
  return value['result'] === null || (value['result'] === undefined && isObject(value['error']));
}

function tasksIn(result: unknown): readonly unknown[] {
  const tasks = Array.isArray(result) ? result : isObject(result) ? arrayOf(result['tasks']) : undefined;
  if (tasks === undefined) throw upstreamFailed('A2A_UPSTREAM_NOT_A2A', { isSent: true });
  // Each is looked up.
  if (tasks.length > SPACE_LIMITS.listedTasks) throw upstreamFailed('A2A_UPSTREAM_ANSWER_TOO_LARGE', { isSent: true });
  return tasks;
}

const TOTALS = ['totalSize', 'total_size'];

/** `own`: of each task in `result` whether it is the caller's. */
function ownOf(result: unknown, own: readonly boolean[]): unknown {
  const tasks = tasksIn(result).filter((_, index) => own[index]);
  if (!isObject(result)) return tasks;
  const totals = TOTALS.filter((name) => name in result).map((name) => [name, tasks.length] as const);
  return { ...result, tasks, ...Object.fromEntries(totals) };
}
