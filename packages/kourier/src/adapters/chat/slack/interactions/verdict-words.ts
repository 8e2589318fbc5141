import type { Actor, RequestEntry } from '../../../../core/thread/entry.ts';
import type { Answered } from '../../../../ports/courier-door.ts';

type Settled = Extract<Answered, { kind: 'settled' }>;

const WORDS: Readonly<Record<Settled['state'] | NonNullable<Settled['decision']>, string>> = {
  open: 'taken',
  answered: 'answered',
  approved: 'approved',
  denied: 'denied',
  expired: 'closed, because nobody answered in time',
  canceled: 'cancelled',
  failed: 'closed, because the agent could not take an answer',
};

const APPROVERS = 10;

/** For the person whose click came too late: what was decided, and by whom. Names as they are: the caller escapes. */
export function settledWords({ state, decision, by }: Omit<Settled, 'kind'>): string {
  const who = by === undefined ? '' : ` by ${by.name ?? by.id}`;
  return `This was ${WORDS[decision ?? state]}${who} already. Nothing more is to be decided.`;
}

/** For the person who may not decide. Their ids are Slack's, so Slack writes the names. */
export function forbiddenWords({ approvers = [] }: RequestEntry): string {
  const named = approvers.filter((id) => /^[UW][A-Z0-9]{1,31}$/.test(id)).slice(0, APPROVERS);
  const who = named.length === 0 ? 'an approver' : named.map((id) => `<@${id}>`).join(', ');
  return `You may not decide this. Ask ${who}${approvers.length > named.length && named.length > 0 ? ' or another approver' : ''}.`;
}

export const MISSING = 'This request is not there any more.';
export const STOPPING = 'Not taken: I am just being restarted. Try it again in a moment.';
export const TOO_LARGE = 'This cannot be decided here: it does not fit in a form of Slack.';
export const NOT_OPENED = 'The form did not open. Press the button again.';

/** What a person who decided the same a moment ago needs to be told: nothing. */
export function isOwnDoubleClick(settled: Settled, user: Actor['id'], approved: boolean | undefined): boolean {
  if (settled.by?.id !== user) return false;
  return approved === undefined || settled.decision === (approved ? 'approved' : 'denied');
}
