import { HITL_EXTENSION } from '../agent/agent-card.ts';
import type { Question } from '../agent/interrupts.ts';
import type { Json } from '../task/task-record.ts';
import type { PausedState, WireMessage } from '../task/wire.ts';

/** A tool call that waits for a decision; the id names it in the decision. */
export interface AskedTool {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What a turn asks for. */
export type AskForm =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'auth'; readonly text: string }
  | { readonly kind: 'questions'; readonly questions: readonly Question[]; readonly hint?: string }
  | { readonly kind: 'approval'; readonly tools: readonly AskedTool[]; readonly hint?: string };

/** Marks the data part that repeats what a pause asks for, for callers that read parts only (rule P6). */
const PART_TYPE_KEY = 'agentkourier.dev/part-type';

export const stateOf = (form: AskForm): PausedState =>
  form.kind === 'auth' ? 'TASK_STATE_AUTH_REQUIRED' : 'TASK_STATE_INPUT_REQUIRED';

/**
 * The status message of a pause. Its text is what a caller of base A2A shows; approvals and questions with choices also
 * carry kagent's human-in-the-loop payload (contract rules Q4 and Q5).
 */
export function askMessage(name: string, form: AskForm, ids: { taskId: string; contextId: string }): WireMessage {
  const common = { messageId: name, ...ids, role: 'ROLE_AGENT' };
  if (form.kind === 'text' || form.kind === 'auth') return { ...common, parts: [{ text: form.text }] };
  const payload = payloadOf(name, form);
  return {
    ...common,
    parts: [{ text: plainText(form) }, { data: payload, metadata: { [PART_TYPE_KEY]: 'interrupt' } }],
    extensions: [HITL_EXTENSION],
    metadata: { [HITL_EXTENSION]: payload },
  };
}

type StructuredForm = Extract<AskForm, { kind: 'questions' | 'approval' }>;

function payloadOf(name: string, form: StructuredForm): Json {
  const hint = form.hint === undefined ? {} : { hint: form.hint };
  if (form.kind === 'approval') {
    const tools = form.tools.map(({ id, name: tool, args }) => ({ id, call_id: id, name: tool, args: args as Json }));
    return { type: 'tool_approval_request', ...hint, tools };
  }
  const questions = form.questions.map(({ question, choices = [], multiple = false }) => ({
    question,
    choices,
    multiple,
  }));
  return { type: 'ask_user_request', id: name, ...hint, questions };
}

/** For callers without the extension: what is asked, and how to answer in words. */
function plainText(form: StructuredForm): string {
  const lines = form.hint === undefined ? [] : [form.hint];
  if (form.kind === 'approval') {
    for (const { name, args } of form.tools) lines.push(`${name} ${JSON.stringify(args)}`);
    return [...lines, 'Answer "approve" or "reject".'].join('\n');
  }
  for (const { question, choices = [] } of form.questions) {
    lines.push(choices.length === 0 ? question : `${question} (${choices.join(', ')})`);
  }
  return lines.join('\n');
}

/** Throws a TypeError for what nobody could answer. */
export function judgeForm(form: AskForm): void {
  switch (form.kind) {
    case 'text':
    case 'auth':
      return needsWords('a question', form.text);
    case 'approval': {
      if (form.tools.length === 0) throw new TypeError('an approval needs a tool call');
      for (const { name } of form.tools) needsWords('the name of a tool', name);
      const ids = new Set(form.tools.map(({ id }) => id));
      if (ids.size < form.tools.length) throw new TypeError('each tool call of an approval needs an id of its own');
      return;
    }
    case 'questions':
      if (form.questions.length === 0) throw new TypeError('askForm needs a question');
      for (const { question, choices = [] } of form.questions) {
        needsWords('a question', question);
        for (const choice of choices) needsWords('a choice', choice);
      }
  }
}

function needsWords(what: string, text: unknown): void {
  if (typeof text !== 'string' || text.trim() === '') throw new TypeError(`${what} needs words`);
}
