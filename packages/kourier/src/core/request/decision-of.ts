import type { Approval, RequestType } from '../thread/entry.ts';
import type { AuditRecord } from './audit-record.ts';

export type Verdict = Extract<AuditRecord['decision'], 'answered' | 'approved' | 'denied'>;

/** What a person's answer came to, in one word: one tool denied is a denial (rule Q9). */
export function decisionOf(type: RequestType, { approvals }: { readonly approvals: readonly Approval[] }): Verdict {
  if (type !== 'tool-approval') return 'answered';
  return approvals.every(({ approved }) => approved) ? 'approved' : 'denied';
}
