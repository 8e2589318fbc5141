import type { Answers, Approval } from '../thread/entry.ts';

/** What an answer says to the agent: one text part, and for a structured request its payload (rules Q8 to Q10). */
export interface AnswerMessage {
  readonly text: string;
  /** Stands under the extension's URI in the message's metadata. */
  readonly payload?: Readonly<Record<string, unknown>>;
}

/** The reasons that the contract fixes, word for word (rule Q9). */
export const REJECTIONS = {
  person: 'denied by an approver in chat',
  expired: 'denied by agent-kourier: no one decided in time',
  'not-allowed': 'denied by agent-kourier: this Binding does not allow tool approvals',
} as const;

export function approvalMessage(approvals: readonly Approval[], reason: keyof typeof REJECTIONS): AnswerMessage {
  const decided = approvals.map(({ id, approved }) =>
    approved ? { id, approved } : { id, approved, rejection_reason: REJECTIONS[reason] },
  );
  return {
    text: approvals.every(({ approved }) => approved) ? 'approved' : 'rejected',
    payload: { type: 'tool_approval_response', approvals: decided },
  };
}

/** `echo` is the id of a structured request. `prefix` names who answered; a structured answer goes without, because its metadata has the actor (decision 15). */
export function questionsMessage(echo: string | undefined, answers: Answers, prefix: string): AnswerMessage {
  const text = answers.map((given) => given.join(', ')).join('; ');
  if (echo === undefined) return { text: `${prefix}${text}` };
  return { text, payload: { type: 'ask_user_response', id: echo, answers: answers.map((answer) => ({ answer })) } };
}
