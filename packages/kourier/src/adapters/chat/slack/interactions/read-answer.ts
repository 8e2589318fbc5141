import type { Given } from '../../../../core/request/check-answer.ts';
import type { RequestEntry } from '../../../../core/thread/entry.ts';
import { type Json, jsonIn, listIn, textIn } from '../json.ts';
import type { PromptControl } from './prompt-controls.ts';
import { APPROVE, DENY, fieldOf } from './request-modal.ts';

export type GivenHere = Omit<Given, 'actor'>;

/** What one click decides; `undefined`: nothing by itself, it opens a modal, or is not of this request. */
export function clicked(request: RequestEntry, control: PromptControl): GivenHere | undefined {
  switch (control.kind) {
    case 'approve':
    case 'deny': {
      if (request.type !== 'tool-approval') return undefined;
      const approved = control.kind === 'approve';
      return { approvals: request.tools.map(({ id }) => ({ id, approved })) };
    }
    case 'choose': {
      const choice = request.questions[0]?.choices[control.choice];
      return choice === undefined || request.questions.length !== 1 ? undefined : { answers: [[choice]] };
    }
    case 'decide':
    case 'answer':
      return undefined;
  }
}

/** What a modal was sent with. What is missing in it is missing here, and refused as incomplete. */
export function filledIn(request: RequestEntry, values: Json | undefined): GivenHere {
  if (request.type === 'tool-approval') {
    return {
      approvals: request.tools.flatMap(({ id }, place) => {
        const [chosen] = fieldValues(values, place);
        return chosen === APPROVE || chosen === DENY ? [{ id, approved: chosen === APPROVE }] : [];
      }),
    };
  }
  return {
    answers: request.questions.map(({ choices }, place) => {
      const given = fieldValues(values, place);
      return choices.length === 0 ? given : given.flatMap((value) => choices[Number(value)] ?? []);
    }),
  };
}

function fieldValues(values: Json | undefined, place: number): readonly string[] {
  const field = jsonIn(jsonIn(values, fieldOf(place)), fieldOf(place));
  const written = textIn(field, 'value');
  if (written !== undefined) return [written];
  const one = jsonIn(field, 'selected_option');
  const options = one === undefined ? listIn(field, 'selected_options') : [one];
  return options.flatMap((option) => textIn(option, 'value') ?? []);
}
