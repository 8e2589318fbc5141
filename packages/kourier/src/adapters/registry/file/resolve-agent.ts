import type { Backend, BindingAgent, Identity, SpaceConnection, SpacePick } from '../../../ports/registry.ts';
import { quoted, writeOneOf } from './problem.ts';
import { headerFault } from './resolve-headers.ts';
import { resolveSecret } from './resolve-secret.ts';
import type { SecretReference, Secrets } from './secrets.ts';
import type { Say } from './speaker.ts';

/** Of a binding, who answers: exactly one of `backend` and `space`. */
export interface AgentSpec {
  readonly backend?: string;
  readonly space?: {
    readonly name: string;
    readonly agent?: string;
    readonly skill?: string;
    readonly route?: object;
  };
  readonly agent?: { readonly namespace: string; readonly name: string };
  readonly identity?: { readonly tokenSecretRef?: SecretReference; readonly userId?: string };
}

/** Documents of one kind by their names; `misshaped`: refused for their shape, so that a reference to one is no second mistake. */
export interface Named<Value> {
  readonly known: ReadonlyMap<string, Value>;
  readonly misshaped: ReadonlySet<string>;
}

export interface KnownAgents {
  readonly backends: Named<Backend>;
  readonly connections: Named<SpaceConnection>;
  readonly secrets: Secrets;
}

/** Undefined when its backend or Space is not to be had; what is wrong is reported. */
export function resolveAgent(spec: AgentSpec, known: KnownAgents, say: Say): BindingAgent | undefined {
  const { backend, space } = spec;
  return space === undefined ? toBackend(backend ?? '', spec, known, say) : toSpace(space, spec, known, say);
}

function toBackend(name: string, spec: AgentSpec, known: KnownAgents, say: Say): BindingAgent | undefined {
  const backend = find(name, ['backend', 'AgentBackend'], known.backends, (what, write) =>
    say(['spec', 'backend'], what, write),
  );
  if (backend?.dialect === 'kagent-v1' && spec.agent === undefined)
    say(['spec'], 'agent is missing: its backend speaks kagent-v1', 'add agent: { namespace: …, name: … }');
  if (backend?.dialect === 'a2a' && spec.agent !== undefined)
    say(['spec', 'agent'], 'agent is for kagent-v1: its backend speaks a2a', 'leave it out');
  const identity = identityOf(spec.identity, known.secrets, say);
  if (backend === undefined) return undefined;
  checkOneIdentity(identity, backend, say);
  return { backend, ...(spec.agent === undefined ? {} : { agent: spec.agent }), identity };
}

function toSpace(
  { name, agent, skill }: NonNullable<AgentSpec['space']>,
  spec: AgentSpec,
  known: KnownAgents,
  say: Say,
): BindingAgent | undefined {
  const path = ['spec', 'space', 'name'];
  const connection = find(name, ['space', 'SpaceConnection'], known.connections, (what, write) =>
    say(path, what, write),
  );
  if (spec.identity !== undefined)
    say(
      ['spec', 'identity'],
      'identity is not for space: the key of its SpaceConnection says who we are',
      'leave it out',
    );
  if (spec.agent !== undefined)
    say(['spec', 'agent'], 'agent is for kagent-v1: of a Space it is space.agent', 'leave it out');
  return connection && { space: { ...connection, pick: pickOf(agent, skill) } };
}

function pickOf(agentId: string | undefined, skillId: string | undefined): SpacePick {
  if (agentId !== undefined) return { by: 'agent', agentId };
  return skillId === undefined ? { by: 'message' } : { by: 'skill', skillId };
}

function find<Value>(
  name: string,
  [word, kind]: readonly [word: string, kind: string],
  { known, misshaped }: Named<Value>,
  say: (what: string, write: string) => void,
): Value | undefined {
  const found = known.get(name);
  if (found !== undefined || misshaped.has(name)) return found;
  const names = [...known.keys(), ...misshaped];
  const write =
    names.length === 0 ? `add ${word === 'backend' ? 'an' : 'a'} ${kind} ${quoted(name)}` : writeOneOf(name, names);
  say(`${word} ${quoted(name)} is not known`, write);
  return undefined;
}

function identityOf(
  { tokenSecretRef, userId }: NonNullable<AgentSpec['identity']> = {},
  secrets: Secrets,
  say: Say,
): Identity {
  if (tokenSecretRef === undefined) return { userId: userId ?? '' };
  const path = ['spec', 'identity', 'tokenSecretRef'];
  return { token: resolveSecret(tokenSecretRef, path, { fault: headerFault, secrets, say }) };
}

/** One identity header on every call (rule S7). */
function checkOneIdentity(identity: Identity, { name, headers }: Backend, say: Say): void {
  const header = 'token' in identity ? 'authorization' : 'x-user-id';
  if (!headers.some((sent) => sent.name.toLowerCase() === header)) return;
  say(
    ['spec', 'identity'],
    `backend ${quoted(name)} has a header ${header} too`,
    'leave it out there, or use the other identity',
  );
}
