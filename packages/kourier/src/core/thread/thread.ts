import type { Turn } from '../turn/turn.ts';
import type { AgentId, ContextId, ThreadId } from './ids.ts';

/**
 * What the courier keeps for a thread between two commits: the agent's context and the turn that is under way. Queued
 * turns are the store's pending messages. Plain JSON.
 */
export interface Thread {
  readonly id: ThreadId;
  readonly binding: string;
  /** Of a binding that names a Space: who was chosen for the thread. Once and for good. */
  readonly agent?: AgentId;
  /** The context that the agent last returned (rule S3). */
  readonly contextId?: ContextId;
  /** One task per context: no other turn starts while this one is not settled (rule R8). */
  readonly turn?: Turn;
}
