import { LIMITS } from '../../core/limits.ts';
import type { AgentId } from '../../core/thread/ids.ts';
import type { Agent, Agents, Failure } from '../../ports/agent.ts';
import type { Binding, Registry } from '../../ports/registry.ts';
import { a2aAgent } from './a2a-agent.ts';
import { askSpace } from './ask-space.ts';
import { Connection } from './connection.ts';
import { endpointOf } from './endpoint.ts';
import { agentIdOf, type Reached, reached } from './reached.ts';
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
  /** By the binding, and of its agents by whom was chosen. */
  const known = new Map<string, Map<AgentId | undefined, Known>>();

  const make = (binding: Binding, to: Reached, key: string): Known => {
    const endpoint = endpointOf(to);
    const headers = standingHeaders(to.identity, to.backend);
    if (endpoint === undefined)
      return { binding, key, agent: unusable('the backend url cannot be called'), connection: undefined };
    if (headers === undefined)
      return { binding, key, agent: unusable('a header cannot be sent'), connection: undefined };
    const isPublic = to.backend.egress === 'public';
    const way = isPublic ? guardedWay(endpoint, headers, network, closed.signal) : directWay(direct, headers);
    const inSpace = to.inSpace === undefined ? {} : { inSpace: to.inSpace };
    const target = { endpoint, ...inSpace, way, timings: () => registry.current().timings, unfinished, spanId };
    const connection = new Connection(target);
    return { binding, key, agent: a2aAgent(target, connection), connection };
  };

  const find = (name: string, chosen?: AgentId): Known | undefined => {
    const binding = registry.current().bindings.get(name);
    if (binding === undefined) {
      known.delete(name);
      return undefined;
    }
    const agents = known.get(name) ?? new Map<AgentId | undefined, Known>();
    known.set(name, agents);
    const of = binding.space === undefined ? undefined : chosen;
    const before = agents.get(of);
    if (before?.binding === binding) return before;
    const to = reached(binding, of);
    if (to === undefined) return undefined;
    const key = keyOf(to);
    const now = before?.key === key ? { ...before, binding } : make(binding, to, key);
    agents.set(of, now);
    return now;
  };

  return {
    agentFor: (binding, chosen) => find(binding, chosen)?.agent,
    choose: async (name, words, options) => {
      const { bindings, timings } = registry.current();
      const space = bindings.get(name)?.space;
      if (space === undefined) return notSent('the binding names no Space');
      const headers = standingHeaders(space.key === undefined ? undefined : { token: space.key }, { headers: [] });
      if (headers === undefined) return notSent('the key of the Space cannot be sent');
      const way = directWay(direct, headers);
      return askSpace(space, words, options, {
        ...{ way, spanId: spanId(), responseHeadersMs: timings.responseHeadersMs },
      });
    },
    describe: (binding) => {
      const space = registry.current().bindings.get(binding)?.space;
      const chosen = space?.pick.by === 'agent' ? agentIdOf(space, space.pick.agentId) : undefined;
      const card = find(binding, chosen)?.connection?.card;
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
function keyOf({ backend, agent, identity }: Reached): string {
  const { dialect, url, cardUrl, headers, egress } = backend;
  return JSON.stringify([dialect, url, cardUrl, headers, egress, agent, identity]);
}

function unusable(why: string): Agent {
  const failure = (): Promise<Failure> => Promise.resolve(notSent(why));
  return { send: failure, subscribe: failure, getTask: failure, cancelTask: failure, findTurn: failure };
}
