import type { RegisteredAgent, Revision } from '../../core/directory/registered-agent.ts';

export type AgentToSave = Omit<RegisteredAgent, 'sequence'>;

/** What became of an agent, in the order of `sequence`. Only the last change of each is kept. */
export type AgentChange =
  | { readonly sequence: number; readonly kind: 'saved'; readonly agent: RegisteredAgent }
  | { readonly sequence: number; readonly kind: 'removed'; readonly space: string; readonly id: string };

/** A revision without its card. */
export type RevisionHead = Omit<Revision, 'card'>;

/** What the directory keeps. Durable: what resolved survives a crash. */
export interface DirectoryStore {
  agent(space: string, id: string): Promise<RegisteredAgent | undefined>;
  /**
   * Writes an agent with its current and its pending revision, as `before` was read; `before` is absent for a new one.
   * Every revision that the agent ever had stays; one that is written again changes only its state and decision.
   * `stale`: it was changed, made or removed since. Nothing is then written.
   */
  saveAgent(agent: AgentToSave, before: RegisteredAgent | undefined): Promise<RegisteredAgent | 'stale'>;
  /** With its revisions. Its id may be used again; its numbers begin again, its sequence does not. */
  removeAgent(before: RegisteredAgent): Promise<'removed' | 'stale'>;
  /** Changes of all Spaces after `sequence` (0: all), the oldest first, at most `limit`. Cheap when there are none. */
  changes(sequence: number, limit: number): Promise<readonly AgentChange[]>;
  /** The newest first; those below `before` when given. */
  revisions(
    space: string,
    id: string,
    page: { readonly before?: number; readonly limit: number },
  ): Promise<readonly RevisionHead[]>;
  revision(space: string, id: string, number: number): Promise<Revision | undefined>;
}
