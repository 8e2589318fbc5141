import type { Actor, RequestEntry } from '../thread/entry.ts';
import type { Thread } from '../thread/thread.ts';
import type { AuditRecord } from './audit-record.ts';

/** The courier as the one who decides (rule S5). */
export const COURIER: Actor = { id: 'agent-kourier' };

type Decided = Pick<AuditRecord, 'decision' | 'actor'> &
  Partial<Pick<AuditRecord, 'answers' | 'approvals' | 'messageId'>>;

export function auditOf(
  of: { readonly thread: Thread; readonly atMs: number },
  request: RequestEntry,
  decided: Decided,
): AuditRecord {
  const { thread, atMs } = of;
  const { id, turnId, type, tools } = request;
  return {
    atMs,
    binding: thread.binding,
    thread: thread.id,
    turn: turnId,
    request: id,
    type,
    tools,
    answers: [],
    approvals: [],
    ...decided,
  };
}
