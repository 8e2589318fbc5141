import { LIMITS } from '../../core/limits.ts';
import type { Agent, Agents, Failure } from '../../ports/agent.ts';
import type { Binding, Registry } from '../../ports/registry.ts';
import { a2aAgent } from './a2a-agent.ts';
import { Connection } from './connection.ts';
import { endpointOf } from './endpoint.ts';
import { directDispatcher, directWay } from './wire/direct-way.ts';
import { notSent } from './wire/failures.ts';
import { guardedWay, type Network } from './wire/guarded-way.ts';
import { standingHeaders } from './wire/headers.ts';
import { Unfinished } from './wire/unfinished.ts';

export interface A2aAgentsOptions {
  readonly registry: Registry;
  /** W3C span id of one call: 16 hex digits, not all zero. */
  readonly spanId: () => string;
  /** What backends with `egress: { mode: public }` are reached over. */
  readonly network?: Network;
}

export interface A2aAgents extends Agents {
  /** Drops every connection; calls under way end as lost. */
  close(): Promise<void>;
}

interface Known {
  readonly binding: Binding;
  readonly key: string;
  readonly agent: Agent;
  readonly connection: Connection | undefined;
}

/** Agents over A2A 1.0 and 0.3, dialects a2a and kagent-v1. An agent is kept, with its card, until what rule D8 names changes. */
export function a2aAgents({ registry, spanId, network = {} }: A2aAgentsOptions): A2aAgents {
  const direct = directDispatcher();
  const closed = new AbortController();
  const unfinished = new Unfinished();
  const known = new Map<string, Known>();

  const make = (binding: Binding, key: string): Known => {
    const endpoint = endpointOf(binding);
    const headers = standingHeaders(binding.identity, binding.backend);
    if (endpoint === undefined)
      return { binding, key, agent: unusable('the backend url cannot be called'), connection: undefined };
    if (headers === undefined)
      return { binding, key, agent: unusable('a header cannot be sent'), connection: undefined };
    const isPublic = binding.backend.egress === 'public';
    const way = isPublic ? guardedWay(endpoint, headers, network, closed.signal) : directWay(direct, headers);
    const target = { endpoint, way, timings: () => registry.current().timings, unfinished, spanId };
    const connection = new Connection(target);
    return { binding, key, agent: a2aAgent(target, connection), connection };
  };

  const find = (name: string): Known | undefined => {
    const binding = registry.current().bindings.get(name);
    const before = known.get(name);
    if (binding === undefined) {
      known.delete(name);
      return undefined;
    }
    if (before?.binding === binding) return before;
    const key = keyOf(binding);
    const now = before?.key === key ? { ...before, binding } : make(binding, key);
    known.set(name, now);
    return now;
  };

  return {
    agentFor: (binding) => find(binding)?.agent,
    describe: (binding) => {
      const card = find(binding)?.connection?.card;
      if (card === undefined) return undefined;
      const { name, description, version, wire } = card;
      const short = (text: string) => text.slice(0, LIMITS.cardTextCharacters);
      return {
        name: short(name),
        description: short(description),
        version: short(version),
        protocolVersion: wire.version,
      };
    },
    close: async () => {
      closed.abort();
      await direct.destroy();
    },
  };
}

/** What an agent is made of (rule D8): another value is another agent, whose card is fetched again. */
function keyOf({ backend, agent, identity }: Binding): string {
  const { dialect, url, cardUrl, headers, egress } = backend;
  return JSON.stringify([dialect, url, cardUrl, headers, egress, agent, identity]);
}

function unusable(why: string): Agent {
  const failure = (): Promise<Failure> => Promise.resolve(notSent(why));
  return { send: failure, subscribe: failure, getTask: failure, cancelTask: failure, findTurn: failure };
}
