import type { Entry, MessageEntry, RequestEntry, ThreadStatus } from '../api/wire.ts';

/** A message and what came of it. An aside, or an entry of no turn, stands alone. */
export interface Turn {
  readonly key: string;
  readonly message?: MessageEntry;
  readonly rest: readonly Entry[];
}

/**
 * Brings a turn's entries together: a message that was written while an earlier turn ran stands after that turn's
 * answer, and one that answers a text question (decision 14) in the turn that asked. A turn that did not change is the same object as in `before`, so that it need not be drawn again.
 */
export function groupTurns(entries: readonly Entry[], before: readonly Turn[] = []): readonly Turn[] {
  const groups = new Map<string, { message?: MessageEntry; rest: Entry[] }>();
  const answers = answersTyped(entries);
  for (const entry of entries) {
    const key = answers.get(entry.id) ?? entry.turnId ?? entry.id;
    const group = groups.get(key) ?? { rest: [] };
    groups.set(key, group);
    if (entry.kind === 'message' && group.message === undefined) group.message = entry;
    else group.rest.push(entry);
  }
  const known = new Map(before.map((turn) => [turn.key, turn]));
  return Array.from(groups, ([key, group]) => {
    const old = known.get(key);
    return old !== undefined && same(old, group) ? old : { key, ...group };
  });
}

/** The turn that each message answered, by the message's id: entries do not say it, so it is found as a reader would. */
function answersTyped(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (!entries.some(isTextQuestion)) return found;
  const begun = new Set(entries.flatMap((entry) => (entry.kind === 'message' ? [] : [entry.turnId])));
  for (const [at, request] of entries.entries()) {
    if (!isTextQuestion(request)) continue;
    const typed = entries.slice(at + 1).find((entry) => entry.kind === 'message' && mayAnswer(entry, request, begun));
    if (typed !== undefined && !found.has(typed.id)) found.set(typed.id, request.turnId);
  }
  return found;
}

const isTextQuestion = (entry: Entry): entry is RequestEntry =>
  entry.kind === 'request' && entry.type === 'text' && (entry.state === 'open' || entry.state === 'answered');

/** While the question is open, the first message that starts nothing else is about to be its answer. */
function mayAnswer(message: MessageEntry, { answer }: RequestEntry, begun: ReadonlySet<string>): boolean {
  const { turnId, actor, text } = message;
  if (turnId === undefined || actor === undefined || begun.has(turnId)) return false;
  return answer === undefined || (answer.actor.id === actor.id && answer.answers[0]?.[0] === text);
}

function same(old: Turn, now: Omit<Turn, 'key'>): boolean {
  return (
    old.message === now.message &&
    old.rest.length === now.rest.length &&
    old.rest.every((entry, at) => entry === now.rest[at])
  );
}

/** What a person sees of a turn that has no last word yet. */
export type Progress = 'none' | 'working' | 'queued';

/** Whether `turn` is under way or waits behind another; `turns` in order, the thread's status tells the rest. */
export function progressOf(turn: Turn, turns: readonly Turn[], status: ThreadStatus): Progress {
  if (status === 'idle') return 'none';
  const active = activeTurn(turns);
  if (turn === active) return status === 'running' ? 'working' : 'none';
  return active !== undefined && turns.indexOf(turn) > turns.indexOf(active) && isUntouched(turn) ? 'queued' : 'none';
}

/** One task per context: the turn that is under way is the first that is untouched, or the one before it. */
function activeTurn(all: readonly Turn[]): Turn | undefined {
  const turns = all.filter(({ message, rest }) => message?.turnId !== undefined || rest.length > 0);
  const firstUntouched = turns.findIndex(isUntouched);
  const lastTouched = firstUntouched === -1 ? turns.at(-1) : turns[firstUntouched - 1];
  if (firstUntouched === -1 || (lastTouched !== undefined && !looksSettled(lastTouched))) return lastTouched;
  return turns[firstUntouched];
}

function isUntouched(turn: Turn): boolean {
  return turn.message?.turnId !== undefined && turn.rest.length === 0;
}

function looksSettled({ message, rest }: Turn): boolean {
  // It points to a request, and says nothing of the turn itself.
  const last = rest.findLast((entry) => entry.kind !== 'notice' || entry.code !== 'answer-the-prompt');
  if (last === undefined) return message !== undefined;
  return last.kind === 'answer' ? !last.streaming : last.kind === 'notice' && last.code !== 'busy';
}
