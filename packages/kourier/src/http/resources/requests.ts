import type { Actor } from '../../core/thread/entry.ts';
import type { EntryId } from '../../core/thread/ids.ts';
import type { Answered, CourierDoor } from '../courier-door.ts';
import { problem } from '../problem.ts';
import { json, post, type Route } from '../route.ts';
import { stopping, writer } from './taking.ts';
import { idIn } from './thread-id.ts';

/** Questions and approvals. Repeating an answer is safe: the request is decided once. */
export function requestsResource({ courier }: { readonly courier: Pick<CourierDoor, 'answer'> }): readonly Route[] {
  return [
    post(
      '/api/v1/requests/:id/answer',
      'RequestAnswer',
      {
        summary: 'Answers a question or decides an approval; durable when answered',
        answers: { 202: { description: 'Decided', schema: 'RequestAnswered' } },
        problems: ['request-not-found', 'already-settled', 'answer-incomplete', 'not-an-approver', 'stopping'],
      },
      async (c, { actor, ...given }) => {
        const request = idIn(c);
        if (request === undefined) return requestNotFound();
        return answered(await courier.answer(request as EntryId, { ...given, actor: writer(actor) }));
      },
    ),
  ];
}

function answered(answer: Answered): Response {
  switch (answer.kind) {
    case 'accepted':
      return json({}, 202);
    case 'missing':
      return requestNotFound();
    case 'forbidden':
      return problem('not-an-approver', 'Ask one of the approvers that the request names.');
    case 'invalid':
      return problem('answer-incomplete', answer.why);
    case 'settled':
      return problem('already-settled', settled(answer));
    case 'stopping':
      return stopping();
  }
}

function requestNotFound(): Response {
  return problem('request-not-found', 'Use the id of a request entry in a timeline.');
}

/** What was decided and by whom, for the person whose click came too late. */
function settled({ state, decision, by }: Extract<Answered, { kind: 'settled' }>): string {
  const what = decision ?? state;
  const who = by === undefined ? '' : ` by ${nameOf(by)}`;
  return `The request was ${WORDS[what]}${who}. There is nothing more to decide.`;
}

type Settled = Extract<Answered, { kind: 'settled' }>;

const WORDS: Readonly<Record<Settled['state'] | NonNullable<Settled['decision']>, string>> = {
  open: 'taken',
  answered: 'answered',
  approved: 'approved',
  denied: 'denied',
  expired: 'closed when its time was over',
  canceled: 'cancelled',
  failed: 'closed, because the agent could not take an answer',
};

function nameOf({ id, name }: Actor): string {
  return name === undefined ? id : `${name} (${id})`;
}
