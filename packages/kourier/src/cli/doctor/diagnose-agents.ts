import type { TaskId } from '../../core/thread/ids.ts';
import type { Agents, CallOptions, TaskRead } from '../../ports/agent.ts';
import type { Finding } from '../../ports/finding.ts';
import type { Backend, Binding, Configuration } from '../../ports/registry.ts';
import { type OfSpace, spaceFinding } from './space-finding.ts';

/** No agent has a task of this name: reading it shows the card and the credentials, and changes nothing. */
const NO_TASK = 'kourier-doctor' as TaskId;

/** How each binding's agent answers, as the courier would call it. */
export async function diagnoseAgents(
  agents: Agents,
  { bindings }: Configuration,
  traceId: () => string,
): Promise<readonly Finding[]> {
  const { signal } = new AbortController();
  return await Promise.all(
    [...bindings.values()].map((binding) => {
      const options = { signal, traceId: traceId() };
      return binding.space === undefined ? diagnose(binding, agents, options) : ofSpace(binding, agents, options);
    }),
  );
}

async function diagnose(binding: OfBackend, agents: Agents, options: CallOptions): Promise<Finding> {
  const { name, backend } = binding;
  const read = await agents.agentFor(name)?.getTask(NO_TASK, options);
  if (read === undefined) return unknownBinding(binding);
  const identity = `correct identity of binding ${name}`;
  const remedies = { credentials: `${identity}, or its secret`, identity, card: noCard(backend) };
  return findingOf(name, read, { agents, at: `agent ${backend.name} at ${backend.url}`, remedies });
}

/** Nothing is said to anybody: a Space that is asked with no words shows that it is there, and knows us. */
async function ofSpace(binding: OfSpace, agents: Agents, options: CallOptions): Promise<Finding> {
  const { name, space } = binding;
  const choice = await agents.choose(name, '', options);
  const read =
    space.pick.by === 'agent' && choice.kind === 'agent'
      ? await agents.agentFor(name, choice.agent)?.getTask(NO_TASK, options)
      : undefined;
  if (read === undefined || space.pick.by !== 'agent') return spaceFinding(binding, choice);
  const key = `correct keySecretRef of SpaceConnection ${space.name}, or its secret`;
  const card = 'start the Space, or correct url and id of its SpaceConnection, or space.agent';
  const at = `agent ${space.pick.agentId} of Space ${space.id} at ${space.url}`;
  return findingOf(name, read, { agents, at, remedies: { credentials: key, identity: key, card } });
}

type OfBackend = Extract<Binding, { readonly backend: Backend }>;

interface Asked {
  readonly agents: Agents;
  readonly at: string;
  readonly remedies: { readonly credentials: string; readonly identity: string; readonly card: string };
}

const unknownBinding = ({ name }: Binding): Finding => ({
  verdict: 'fail',
  what: `binding ${name}: it has no agent`,
  todo: 'correct its backend',
});

function findingOf(name: string, read: TaskRead, { agents, at: agent, remedies }: Asked): Finding {
  const card = agents.describe(name);
  const at = `binding ${name}: ${agent}`;
  const fail = (what: string, todo: string): Finding => ({ verdict: 'fail', what: `${at} ${what}`, todo });
  switch (read.kind) {
    case 'refused':
      return fail(`cannot be used: ${read.why}`, REMEDIES[read.reason]);
    case 'credentials':
      return fail(`does not take our credentials: ${read.why}`, remedies.credentials);
    case 'blocked':
      return fail(`cannot be called: ${read.why}`, 'look at the agent in its Space, or correct space.agent');
    case 'identity':
      return fail(`does not know who we are: ${read.why}`, remedies.identity);
    default:
      if (card === undefined) return fail(`shows no card: ${whyOf(read)}`, remedies.card);
      if (read.kind === 'unknown' || read.kind === 'not-sent')
        return {
          verdict: 'warn',
          what: `${at} shows its card, and does not answer: ${read.why}`,
          todo: "look at the agent's log",
        };
      return {
        verdict: 'ok',
        what: `${at} answers: ${card.name} ${card.version}, A2A ${card.protocolVersion}, streaming`,
      };
  }
}

const noCard = ({ egress }: Backend): string => {
  const remedy = 'start it, or correct its url or card.url';
  return egress === 'direct'
    ? remedy
    : `${remedy}; only an agent at public addresses is called with egress mode public`;
};

const whyOf = (read: TaskRead): string => ('why' in read ? read.why : 'no reason given');

const REMEDIES = {
  'no-jsonrpc': 'let the agent offer JSON-RPC and name it in its card',
  'no-streaming': 'let the agent stream, and say so in its card',
  extension: 'let the extension be optional in the agent card',
} as const;
