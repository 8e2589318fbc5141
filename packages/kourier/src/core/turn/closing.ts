import { auditOf, COURIER } from '../request/audit-of.ts';
import type { AuditRecord } from '../request/audit-record.ts';
import type { Answering } from '../request/open-request.ts';
import type { RequestEntry } from '../thread/entry.ts';
import type { Thread } from '../thread/thread.ts';
import type { Turn } from './turn.ts';

interface Closing {
  readonly requests: readonly RequestEntry[];
  readonly audit: readonly AuditRecord[];
}

/**
 * The turn goes on, or ends, without its request: an open one is void, and an answer that never reached the agent has
 * failed. Both are written to the audit, because what stands there before says otherwise.
 */
export function closing(of: { readonly thread: Thread; readonly turn: Turn; readonly atMs: number }): Closing {
  const { request, answering } = of.turn;
  if (!request || request.unseen) return NOTHING;
  const state = endOf(request.entry, answering);
  if (state === undefined) return NOTHING;
  const entry: RequestEntry = { ...request.entry, state };
  const messageId = answering && { messageId: answering.messageId };
  return { requests: [entry], audit: [auditOf(of, entry, { decision: 'canceled', actor: COURIER, ...messageId })] };
}

const NOTHING: Closing = { requests: [], audit: [] };

/** `undefined`: it has ended already, as it was decided. */
function endOf({ state }: RequestEntry, answering: Answering | undefined): 'canceled' | 'failed' | undefined {
  if (state === 'open') return 'canceled';
  return state === 'answered' && answering && !hasReached(answering) ? 'failed' : undefined;
}

/** The agent has the answer, as far as anybody knows. */
export const hasReached = ({ sent, refused }: Answering): boolean => sent === true && !refused;
