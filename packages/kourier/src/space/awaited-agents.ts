import type { SpaceConfiguration } from '../ports/space/space-configuration.ts';
import type { Directory } from './directory.ts';

/**
 * Configured agents of a Space that nobody has looked at yet: the process has just begun, or its configuration has just
 * changed. Whoever asks for one is told to come again, since "there is none" would be final and wrong.
 */
export async function awaitedAgents(
  space: string,
  { directory, configuration }: { readonly directory: Directory; readonly configuration: SpaceConfiguration },
): Promise<readonly string[]> {
  const there = new Set((await directory.agentsOf(space)).map(({ id }) => id));
  return configuration.agents.filter((agent) => agent.space === space && !there.has(agent.id)).map(({ id }) => id);
}
