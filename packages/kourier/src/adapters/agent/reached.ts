import { withoutEndSlashes } from '@agentkourier/a2a/without-end-slashes';
import type { AgentId } from '../../core/thread/ids.ts';
import type { Backend, Binding, Identity, SpaceConnection } from '../../ports/registry.ts';

/** One agent as a binding reaches it. */
export interface Reached {
  readonly backend: Backend;
  /** At the gateway of a Space: its id there. */
  readonly inSpace?: string;
  /** kagent-v1 only. */
  readonly agent?: { readonly namespace: string; readonly name: string };
  /** Absent: a Space in its local mode asks nobody who they are. */
  readonly identity?: Identity;
}

/** The backend of a binding; of one that names a Space, the chosen agent's place at the gateway, and nothing without one. */
export function reached(binding: Binding, chosen: AgentId | undefined): Reached | undefined {
  if (binding.space === undefined) return binding;
  return chosen === undefined ? undefined : atGateway(binding.space, chosen);
}

/**
 * An agent is called by its Space's id and its own, which is how it is kept: a thread stays with its agent also when its
 * binding has come to name another Space of the gateway. No id of these has a slash in it.
 */
export const agentIdOf = ({ id }: SpaceConnection, agentId: string): AgentId => `${id}/${agentId}` as AgentId;

function atGateway({ name, url, key }: SpaceConnection, chosen: AgentId): Reached {
  const [spaceId = '', agentId = ''] = chosen.split('/');
  const [space, agent] = [spaceId, agentId].map(encodeURIComponent);
  return {
    inSpace: agentId,
    backend: {
      name,
      dialect: 'a2a',
      url: `${withoutEndSlashes(url)}/spaces/${space}/agents/${agent}`,
      headers: [],
      egress: 'direct',
    },
    ...(key === undefined ? {} : { identity: { token: key } }),
  };
}
