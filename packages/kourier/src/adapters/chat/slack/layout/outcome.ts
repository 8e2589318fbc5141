import type { Actor, RequestEntry } from '../../../../core/thread/entry.ts';
import { inertPlain } from './inert.ts';
import { shortened } from './measure.ts';

const WITHOUT_ANSWER = {
  open: '',
  answered: 'Answered.',
  expired: 'Nobody answered in time.',
  canceled: 'No longer to be answered: the task was cancelled.',
  failed: 'No longer to be answered: it failed.',
} as const satisfies Record<RequestEntry['state'], string>;

const ANSWER_CHARACTERS = 1_000;

/** What became of a request, and by whom, in a line. */
export function outcomeOf({ state, answer, type, tools }: RequestEntry): string {
  if (answer === undefined) return WITHOUT_ANSWER[state];
  const who = nameOf(answer.actor);
  const late = state === 'answered' ? '' : ` ${WITHOUT_ANSWER[state]}`;
  if (type !== 'tool-approval') {
    const given = answer.answers.map((each) => each.map(inertPlain).join(', ')).join(' · ');
    return `Answered by ${who}: ${shortened(given, ANSWER_CHARACTERS)}${late}`;
  }
  const approved = answer.approvals.filter((approval) => approval.approved);
  if (approved.length === tools.length) return `Approved by ${who}.${late}`;
  if (approved.length === 0) return `Denied by ${who}.${late}`;
  const places = answer.approvals.map(({ approved: is }, place) => `${place + 1} ${is ? 'approved' : 'denied'}`);
  return `Decided by ${who}: ${places.join(', ')}.${late}`;
}

export function nameOf({ id, name }: Actor): string {
  return shortened(inertPlain(name ?? id).replace(/\s+/g, ' '), 100);
}
