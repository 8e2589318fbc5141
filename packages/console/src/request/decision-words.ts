import type { Actor, Given, RequestEntry } from '../api/wire.ts';

/** How a request ended. `tone`: what it means for what the agent wanted. */
export interface Decision {
  readonly tone: 'good' | 'bad' | 'quiet';
  readonly words: string;
  /** The person, where one decided. */
  readonly by?: Actor;
  /** What became of it, where the words alone do not tell. */
  readonly more?: string;
}

export function decisionOf({ state, type, tools, answer }: RequestEntry): Decision {
  const isApproval = type === 'tool-approval';
  switch (state) {
    case 'open':
      return { tone: 'quiet', words: 'Open' };
    case 'answered':
      return { ...given(isApproval, answer?.approvals.map(({ approved }) => approved) ?? []), ...by(answer) };
    case 'expired':
      return isApproval
        ? { tone: 'bad', words: 'Expired', more: `Nobody decided in time, so ${all(tools.length)} denied.` }
        : { tone: 'quiet', words: 'Expired', more: 'Nobody answered in time.' };
    case 'canceled':
      return {
        tone: 'quiet',
        words: 'Closed',
        more: `It was over before ${isApproval ? 'a decision' : 'an answer'} counted.`,
      };
    case 'failed':
      return { tone: 'bad', words: 'Failed', ...by(answer), more: 'The agent did not take what it was given.' };
  }
}

function given(isApproval: boolean, approvals: readonly boolean[]): Pick<Decision, 'tone' | 'words'> {
  if (!isApproval) return { tone: 'good', words: 'Answered' };
  const approved = approvals.filter(Boolean).length;
  const denied = approvals.length - approved;
  if (denied === 0) return { tone: 'good', words: approved === 1 ? 'Approved' : `Approved all ${approved}` };
  if (approved === 0) return { tone: 'bad', words: denied === 1 ? 'Denied' : `Denied all ${denied}` };
  return { tone: 'bad', words: `Approved ${approved}, denied ${denied}` };
}

const by = (answer: RequestEntry['answer']): { by?: Actor } => (answer === undefined ? {} : { by: answer.actor });

const all = (count: number): string => (count === 1 ? 'it was' : `all ${count} were`);

/** In one sentence, for ears. */
export function spokenDecision(request: RequestEntry): string {
  const { words, by: actor, more } = decisionOf(request);
  const who = actor === undefined ? '' : ` by ${actor.name ?? actor.id}`;
  return `${words}${who}.${more === undefined ? '' : ` ${more}`}`;
}

/** Whether what was decided is what this person wanted, too. */
export function isSame(given: Given, { answer }: RequestEntry): boolean {
  if (answer === undefined) return false;
  const wanted = 'answers' in given ? given.answers : given.approvals.map(({ id, approved }) => [id, approved]);
  const decided = 'answers' in given ? answer.answers : answer.approvals.map(({ id, approved }) => [id, approved]);
  return JSON.stringify(wanted) === JSON.stringify(decided);
}
