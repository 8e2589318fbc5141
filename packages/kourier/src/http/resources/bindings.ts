import type { Agents } from '../../ports/agent.ts';
import type { Registry } from '../../ports/registry.ts';
import { get, json, type Route } from '../route.ts';

export interface BindingsOptions {
  readonly agents: Pick<Agents, 'describe'>;
  readonly registry: Pick<Registry, 'current'>;
}

export function bindingsResource({ agents, registry }: BindingsOptions): readonly Route[] {
  return [
    get(
      '/api/v1/bindings',
      {
        summary: 'The bindings, each with its agent as far as its card is known',
        answers: { 200: { description: 'All of them', schema: 'Bindings' } },
      },
      () => {
        const bindings = [...registry.current().bindings.values()].map(({ name, backend, space, chat }) => {
          const agent = agents.describe(name);
          return {
            name,
            backend: backend?.name ?? null,
            ...(space === undefined ? {} : { space: space.name }),
            platform: chat.platform,
            agent: agent === undefined ? null : summary(agent),
          };
        });
        return json({ bindings });
      },
    ),
  ];
}

/** Member by member, so that nothing else of a card gets out by itself. */
function summary(agent: { name: string; description: string; version: string; protocolVersion: string }) {
  const { name, description, version, protocolVersion } = agent;
  return { name, description, version, protocolVersion };
}
