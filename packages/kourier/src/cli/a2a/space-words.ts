import { inert } from '../inert.ts';

/** The exit codes of what is asked of a Space, beside 0 and the 2 of wrong usage; docs/space.md lists them. */
export const SPACE_EXIT = {
  /** The task ended otherwise than completed. */
  taskFailed: 1,
  /** A policy, a role or a permit does not allow it, or the key is none of the Space's. */
  refused: 3,
  /** No such Space, agent or task, or it is not for this caller. */
  notFound: 4,
  /** The Space or the agent could not be reached, or did not answer as it should. */
  unavailable: 5,
  /** The task waits for an answer. */
  paused: 6,
} as const;

export interface ListedLine {
  readonly agentId: string;
  readonly versionId: string;
  readonly name: string;
  readonly description: string;
  readonly callable: boolean;
  readonly blockedReason: string | undefined;
}

/** A line for each agent, columns wide enough for most. */
export function agentLines(agents: readonly ListedLine[]): string {
  const width = Math.min(40, Math.max(8, ...agents.map(({ agentId }) => agentId.length)));
  return agents
    .map(({ agentId, callable, blockedReason, name, description }) => {
      const state = callable ? 'callable' : `blocked: ${blockedReason ?? 'not callable'}`;
      return `${inert(agentId).padEnd(width)}  ${inert(state).padEnd(8)}  ${inert(name, 60)}: ${inert(description, 120)}\n`;
    })
    .join('');
}

/** What an agent wrote, for a terminal: its lines, but nothing that could act on it. */
export function answerText(text: string): string {
  const lines = text.split(/\r\n|\n/).map((line) => line.replace(/[^\P{Cc}\t]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '?'));
  return lines.join('\n');
}
