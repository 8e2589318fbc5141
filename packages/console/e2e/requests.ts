import type { Question, RequestEntry } from '../src/api/wire.ts';

/** Ten minutes before `UNTIL`, for a page whose clock is set. */
export const NOW = '2026-01-02T03:04:05Z';
const UNTIL = '2026-01-02T03:14:05Z';

const OPEN = { id: 'r', kind: 'request', turnId: '1', state: 'open', questions: [], tools: [], until: UNTIL } as const;

/** An open approval of one tool. */
export function approval(more: Partial<RequestEntry> = {}): RequestEntry {
  const tools = [{ id: 'x', name: 'delete_pod', args: { namespace: 'prod', name: 'web-0' } }];
  return { ...OPEN, type: 'tool-approval', heading: 'The agent needs your approval', tools, ...more };
}

/** An open form. */
export function questions(...list: readonly Partial<Question>[]): RequestEntry {
  const all = list.map((one) => ({ question: 'Why?', choices: [], multiple: false, ...one }));
  return { ...OPEN, type: 'questions', heading: 'The agent needs your input', questions: all };
}

/** An open question in plain text. */
export function textQuestion(text: string): RequestEntry {
  return { ...questions({ question: text }), type: 'text' };
}
