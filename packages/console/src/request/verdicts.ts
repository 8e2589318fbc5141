import type { Approval, RequestedTool } from '../api/wire.ts';

/** What a person wants for a tool. Nothing is chosen for them. */
export type Verdict = 'approve' | 'deny' | 'none';

/** One for each tool, in their order: a tool's id is the agent's word, and two requests may use it. */
export type Verdicts = readonly Verdict[];

/** Anything in `draft` that is no verdict is none. */
export function fittingVerdicts(tools: readonly RequestedTool[], draft: unknown): Verdicts {
  const list: readonly unknown[] = Array.isArray(draft) && draft.length === tools.length ? draft : [];
  return tools.map((_, at) => {
    const verdict = list[at];
    return verdict === 'approve' || verdict === 'deny' ? verdict : 'none';
  });
}

/** The places of the tools that nobody has decided. */
export function undecided(verdicts: Verdicts): readonly number[] {
  return verdicts.flatMap((verdict, at) => (verdict === 'none' ? [at] : []));
}

/** The words on the button: what will happen, or what it still needs. */
export function verdictWords(verdicts: Verdicts): string {
  const missing = undecided(verdicts).length;
  if (missing === verdicts.length) return 'Approve or deny each tool';
  if (missing > 0) return `${missing} ${missing === 1 ? 'tool' : 'tools'} left to decide`;
  const approved = verdicts.filter((verdict) => verdict === 'approve').length;
  const denied = verdicts.length - approved;
  if (denied === 0) return `Approve all ${approved}`;
  return approved === 0 ? `Deny all ${denied}` : `Approve ${approved}, deny ${denied}`;
}

/** Of verdicts that lack nothing. */
export function approvalsOf(tools: readonly RequestedTool[], verdicts: Verdicts): readonly Approval[] {
  return tools.map(({ id }, at) => ({ id, approved: verdicts[at] === 'approve' }));
}
