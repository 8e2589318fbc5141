import type { ToolPart } from './tool-part.ts';

/** A tool call as it stands. It changes in place; `version` grows with every change. */
export interface Step {
  readonly callId: string | undefined;
  readonly name: string;
  /** Unknown while only its result has come. */
  args: unknown;
  /** The send that brought it: the turn's own, or one of its answers. */
  readonly send: number;
  /** Where the answer stood when the call was made, in characters: the step splits it there. */
  readonly cut: number;
  state: 'running' | 'done' | 'failed';
  result: unknown;
  version: number;
}

export function stepOf({ callId, name, content }: ToolPart, cut: number, send: number): Step {
  return { callId, name, args: content, send, cut, state: 'running', result: undefined, version: 1 };
}

/** A step ends at the first result of its call; a later one changes nothing (rule T4). `true`: it ended now. */
export function endStep(step: Step, { content }: ToolPart): boolean {
  if (step.state !== 'running') return false;
  step.state = isError(content) ? 'failed' : 'done';
  step.result = content;
  step.version += 1;
  return true;
}

/** A non-empty `error`, or `isError: true` (rule T7). */
function isError(result: unknown): boolean {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return false;
  const { error, isError: marked } = result as Record<string, unknown>;
  return marked === true || holdsSomething(error);
}

function holdsSomething(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
