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
  /** Told to stop by SIGINT or SIGTERM, as a shell has it: 128 and the signal's number. */
  interrupted: 130,
  terminated: 143,
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
  const rows = agents.map(({ agentId, callable, blockedReason, name, description }) => ({
    id: inert(agentId),
    state: inert(callable ? 'callable' : `blocked: ${blockedReason ?? 'not callable'}`),
    // An agent whose card could not be read yet has neither.
    said: [inert(name, 60), inert(description, 120)].filter((words) => words !== '').join(': '),
  }));
  const width = (texts: readonly string[]): number => Math.min(40, Math.max(8, ...texts.map((text) => text.length)));
  const [ids, states] = [width(rows.map(({ id }) => id)), width(rows.map(({ state }) => state))];
  return rows
    .map(({ id, state, said }) => `${`${id.padEnd(ids)}  ${state.padEnd(states)}  ${said}`.trimEnd()}\n`)
    .join('');
}

/** What an agent wrote, for a terminal: its lines, but nothing that could act on it. */
export function answerText(text: string): string {
  const lines = text.split(/\r\n|\n/).map((line) => line.replace(/[^\P{Cc}\t]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '?'));
  return lines.join('\n');
}
