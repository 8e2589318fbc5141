import type { RegisteredAgent, Revision } from '../../core/directory/registered-agent.ts';

export type AgentToSave = Omit<RegisteredAgent, 'sequence'>;

/**
 * What became of an agent, in the order of `sequence`. Only the last change of each is kept; that one was removed is told
 * for `removalChanges`: whoever is further behind begins at 0 again.
 */
export type AgentChange =
  | { readonly sequence: number; readonly kind: 'saved'; readonly agent: RegisteredAgent }
  | { readonly sequence: number; readonly kind: 'removed'; readonly space: string; readonly id: string };

/** Names a revision of one agent, and what became of it. */
export type Decided = Pick<Revision, 'number' | 'state' | 'decidedBy' | 'decidedAt'>;

/** A revision without its card. */
export type RevisionHead = Omit<Revision, 'card'>;

/** What the directory keeps. Durable: what resolved survives a crash. */
export interface DirectoryStore {
  agent(space: string, id: string): Promise<RegisteredAgent | undefined>;
  /**
   * Writes an agent with its current and its pending revision, as `before` was read; `before` is absent for a new one.
   * Every revision that the agent ever had stays; one that is written again changes only its state and decision.
   * One that was current or pending in `before` and is neither any more is in `left` with what became of it; one that is
   * not is `superseded`. `stale`: the agent was changed, made or removed since. Nothing is then written.
   * Answers the agent as `agent` reads it from then on.
   */
  saveAgent(
    agent: AgentToSave,
    before: RegisteredAgent | undefined,
    left?: readonly Decided[],
  ): Promise<RegisteredAgent | 'stale'>;
  /** With its revisions. Its id may be used again; its numbers begin again, its sequence does not. */
  removeAgent(before: RegisteredAgent): Promise<'removed' | 'stale'>;
  /**
   * Changes of all Spaces after `sequence` (0: all), the oldest first, at most `limit`. Cheap when there are none. Whoever
   * goes on after the last that it was given misses none, however many processes write: they become visible in order.
   */
  changes(sequence: number, limit: number): Promise<readonly AgentChange[]>;
  /** The newest first; those below `before` when given. */
  revisions(
    space: string,
    id: string,
    page: { readonly before?: number; readonly limit: number },
  ): Promise<readonly RevisionHead[]>;
  revision(space: string, id: string, number: number): Promise<Revision | undefined>;
}
