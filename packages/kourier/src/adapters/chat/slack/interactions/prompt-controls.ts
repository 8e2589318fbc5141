import type { EntryId } from '../../../../core/thread/ids.ts';

/**
 * The controls of a prompt, as the message that shows a request carries them and as a click brings them back. `action_id`
 * says what was pressed, `value` is the request's id and nothing else: what it is about stands in the store (Slack shows
 * and returns what stands in a message to whoever may see it). A message is about one request, so the names are unique
 * in it.
 *
 * A request of one tool has `approve` and `deny`. One of several has the same two for all of them at once, and `decide`,
 * which opens a modal with each tool. A question with few choices has `choose` for each; every other one has `answer`,
 * which opens a modal with each question.
 */
export type PromptControl =
  | { readonly kind: 'approve' | 'deny' | 'decide' | 'answer' }
  /** The number of a choice of the only question, from 0. */
  | { readonly kind: 'choose'; readonly choice: number };

const PREFIX = 'kourier.';

/** The `action_id` of a control (at most 255 characters). */
export function actionIdOf(control: PromptControl): string {
  return `${PREFIX}${control.kind}${control.kind === 'choose' ? `.${control.choice}` : ''}`;
}

/** `undefined`: none of ours. */
export function controlOf(actionId: string): PromptControl | undefined {
  const found = /^kourier\.(?:(approve|deny|decide|answer)|choose\.(\d{1,3}))$/.exec(actionId);
  if (found === null) return undefined;
  const [, kind, choice] = found;
  if (kind === undefined) return { kind: 'choose', choice: Number(choice) };
  return { kind: kind as 'approve' | 'deny' | 'decide' | 'answer' };
}

/** The `callback_id` of the modal that `decide` and `answer` open; its `private_metadata` is the request's id alone. */
export const MODAL_ID = 'kourier.request';

/** A request's id as it may come back: nothing else is looked up. */
export function requestIn(value: string | undefined): EntryId | undefined {
  return value !== undefined && value !== '' && value.length <= 255 ? (value as EntryId) : undefined;
}
