import type { Actor, Answers, Approval, RequestedTool, RequestType } from '../thread/entry.ts';
import type { EntryId, MessageId, ThreadId, TurnId } from '../thread/ids.ts';

/** One decision of a request: who, what, when, about exactly which arguments, and which message carried it to the agent. */
export interface AuditRecord {
  readonly atMs: number;
  readonly binding: string;
  readonly thread: ThreadId;
  readonly turn: TurnId;
  readonly request: EntryId;
  readonly type: RequestType;
  /** `expired` and `not-allowed` are decisions of the courier itself; `refused`: somebody who may not decide tried to (case C098). */
  readonly decision: 'answered' | 'approved' | 'denied' | 'expired' | 'not-allowed' | 'canceled' | 'refused';
  /** `{ id: 'agent-kourier' }` where the courier decided. */
  readonly actor: Actor;
  /** As they were shown: whole, with secrets redacted. */
  readonly tools: readonly RequestedTool[];
  readonly answers: Answers;
  readonly approvals: readonly Approval[];
  /** The message that goes out with the decision; absent where none does. */
  readonly messageId?: MessageId;
}
