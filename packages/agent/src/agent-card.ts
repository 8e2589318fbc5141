import type { AgentDefinition } from './turn.ts';

/**
 * The A2A 1.0 card of an agent at `url`. Throws a TypeError that names every missing field, because an agent with a
 * card that says nothing is found by nobody (case C001).
 */
export function agentCard(agent: AgentDefinition, url: string): Readonly<Record<string, unknown>> {
  const missing = (['name', 'description'] as const).filter((key) => !isText(agent[key]));
  if (typeof agent.turn !== 'function') throw new TypeError('an agent needs a turn: an async generator function');
  if (missing.length > 0) throw new TypeError(`an agent needs a non-empty ${missing.join(' and a ')}`);
  const { name, description, version = '0.0.0' } = agent;
  return {
    name,
    description,
    version,
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: agent.skills ?? [{ id: 'answer', name, description, tags: ['chat'] }],
  };
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}
