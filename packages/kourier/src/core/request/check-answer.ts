import type { Actor, Answers, Approval, RequestEntry } from '../thread/entry.ts';

/** What a person gave to a request. */
export interface Given {
  readonly actor: Actor;
  readonly answers?: Answers;
  readonly approvals?: readonly Approval[];
}

/** What the binding allows now. */
export interface Interactions {
  readonly toolApprovals?: { readonly approvers?: readonly string[] };
}

export type Checked =
  | { readonly kind: 'complete'; readonly answers: Answers; readonly approvals: readonly Approval[] }
  | { readonly kind: 'invalid'; readonly why: string }
  | { readonly kind: 'forbidden' };

/** Every answer is checked before it is taken: complete, and nothing but what was asked (rule Q11). */
export function checkAnswer(request: RequestEntry, given: Given, allowed?: Interactions): Checked {
  if (!mayDecide(request, given.actor, allowed)) return { kind: 'forbidden' };
  return request.type === 'tool-approval' ? checkApprovals(request, given) : checkAnswers(request, given);
}

/** An approver when it was asked, and one now: whoever was taken off the binding decides no more. */
function mayDecide({ type, approvers }: RequestEntry, { id }: Actor, allowed?: Interactions): boolean {
  if (approvers && !approvers.includes(id)) return false;
  if (type !== 'tool-approval' || !allowed) return true;
  const now = allowed.toolApprovals;
  return now !== undefined && (now.approvers?.includes(id) ?? true);
}

/** Each tool decided once; in the request's order, whatever order they came in (rule Q9). */
function checkApprovals({ tools }: RequestEntry, { approvals }: Given): Checked {
  if (!approvals) return invalid('this request takes approvals, one for each tool');
  const decided = new Map(approvals.map((approval) => [approval.id, approval]));
  const inOrder = tools.flatMap(({ id }) => decided.get(id) ?? []);
  if (decided.size !== approvals.length) return invalid('a tool is decided twice');
  if (inOrder.length < tools.length) return invalid('a tool is not decided');
  if (approvals.length > tools.length) return invalid('a tool is decided that was not asked for');
  return { kind: 'complete', answers: [], approvals: inOrder };
}

function checkAnswers({ questions }: RequestEntry, { answers }: Given): Checked {
  if (!answers) return invalid('this request takes answers, one list for each question');
  if (answers.length !== questions.length)
    return invalid(`${questions.length} questions take ${questions.length} answers`);
  for (const [index, { choices, multiple }] of questions.entries()) {
    const given = answers[index] ?? [];
    const where = `question ${index + 1}`;
    if (given.length === 0 || given.some((answer) => answer.trim() === '')) return invalid(`${where} is not answered`);
    if (given.length > 1 && !(multiple && choices.length > 0)) return invalid(`${where} takes one answer`);
    if (choices.length === 0) continue;
    if (!given.every((answer) => choices.includes(answer)))
      return invalid(`${where} is answered with none of its choices`);
    if (new Set(given).size !== given.length) return invalid(`${where} names a choice twice`);
  }
  return { kind: 'complete', answers, approvals: [] };
}

const invalid = (why: string): Checked => ({ kind: 'invalid', why });
