import type { Entry, RequestEntry, Timeline } from '../api/wire.ts';
import { spokenDecision } from '../request/decision-words.ts';

const SPOKEN_CHARACTERS = 600;

/**
 * What a screen reader says after a change: an answer once, when it is whole, and what the courier or a failed step
 * tells. Not a word while an answer grows. `before` is absent on the first look: what was there already is not said.
 */
export function announcements(before: Timeline | undefined, after: Timeline): readonly string[] {
  if (before === undefined) return [];
  const old = new Map(before.entries.map((entry) => [entry.id, entry]));
  const said = after.entries.flatMap((entry) => {
    const was = old.get(entry.id);
    const words = was === entry ? undefined : wordsFor(entry, was);
    return words === undefined ? [] : [words];
  });
  if (after.status === 'running' && before.status !== 'running') said.unshift('The agent is working.');
  return said;
}

function wordsFor(entry: Entry, was: Entry | undefined): string | undefined {
  switch (entry.kind) {
    case 'message':
      return undefined;
    case 'answer':
      if (entry.streaming || entry.text === '' || (was?.kind === 'answer' && !was.streaming)) return undefined;
      return `Answer: ${shortened(entry.text)}`;
    case 'step':
      return entry.state === 'failed' && (was?.kind !== 'step' || was.state !== 'failed')
        ? `Step failed: ${shortened(entry.name)}`
        : undefined;
    case 'notice':
      return was === undefined ? `Notice: ${shortened(entry.text)}` : undefined;
    case 'request':
      return was?.kind === 'request' && was.state === entry.state
        ? undefined
        : wordsForRequest(entry, was !== undefined);
  }
}

function wordsForRequest(request: RequestEntry, isKnown: boolean): string | undefined {
  const { type, state, heading, questions, tools } = request;
  if (state !== 'open') return isKnown ? spokenDecision(request) : undefined;
  if (type === 'text') return `The agent asks: ${shortened(questions[0]?.question ?? heading)}`;
  const count = type === 'tool-approval' ? counted(tools.length, 'tool') : counted(questions.length, 'question');
  return `The agent asks: ${shortened(heading)}, ${count}.`;
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

function shortened(text: string): string {
  return text.length <= SPOKEN_CHARACTERS ? text : `${text.slice(0, SPOKEN_CHARACTERS)} … and more.`;
}
