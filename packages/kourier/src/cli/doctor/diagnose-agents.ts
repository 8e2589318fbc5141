import type { TaskId } from '../../core/thread/ids.ts';
import type { Agents, TaskRead } from '../../ports/agent.ts';
import type { Finding } from '../../ports/finding.ts';
import type { Binding, Configuration } from '../../ports/registry.ts';

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
    [...bindings.values()].map(async (binding) => {
      const read = await agents.agentFor(binding.name)?.getTask(NO_TASK, { signal, traceId: traceId() });
      return read === undefined ? unknownBinding(binding) : findingOf(binding, read, agents);
    }),
  );
}

const unknownBinding = ({ name }: Binding): Finding => ({
  verdict: 'fail',
  what: `binding ${name}: it has no agent`,
  todo: 'correct its backend',
});

function findingOf(binding: Binding, read: TaskRead, agents: Agents): Finding {
  const { name, backend } = binding;
  const card = agents.describe(name);
  const at = `binding ${name}: agent ${backend.name} at ${backend.url}`;
  const fail = (what: string, todo: string): Finding => ({ verdict: 'fail', what: `${at} ${what}`, todo });
  switch (read.kind) {
    case 'refused':
      return fail(`cannot be used: ${read.why}`, REMEDIES[read.reason]);
    case 'credentials':
      return fail(`does not take our credentials: ${read.why}`, `correct identity of binding ${name}, or its secret`);
    case 'identity':
      return fail(`does not know who we are: ${read.why}`, `correct identity of binding ${name}`);
    default:
      if (card === undefined) return fail(`shows no card: ${whyOf(read)}`, noCard(backend));
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

const noCard = ({ egress }: Binding['backend']): string => {
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
