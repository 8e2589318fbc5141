import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Agent, Agents, TaskRead } from '../../ports/agent.ts';
import type { Backend, Binding, Configuration } from '../../ports/registry.ts';
import { diagnoseAgents } from './diagnose-agents.ts';

const CARD = { name: 'Researcher', description: '', version: '2.1', protocolVersion: '1.0' };

/** What is found of an agent that reads tasks like this, with its card known or not. */
async function found(read: TaskRead, hasCard: boolean, egress: Backend['egress'] = 'direct'): Promise<string> {
  const backend: Backend = { name: 'research', dialect: 'a2a', url: 'http://h:9001/a', headers: [], egress };
  const bindings = new Map([['ops', { name: 'ops', backend } as unknown as Binding]]);
  const agent = { getTask: async () => read } as unknown as Agent;
  const agents: Agents = {
    agentFor: () => agent,
    choose: () => assert.fail(),
    describe: () => (hasCard ? CARD : undefined),
  };
  const findings = await diagnoseAgents(agents, { bindings } as unknown as Configuration, () => 'f'.repeat(32));
  return findings.map(({ verdict, what, todo }) => `${verdict} ${what} → ${todo}`).join();
}

const AT = 'binding ops: agent research at http://h:9001/a';
const TABLE: Record<string, readonly [read: TaskRead, hasCard: boolean, expected: string]> = {
  'a task that is not there is the answer of a sound agent': [
    { kind: 'not-found', why: '-32001' },
    true,
    `ok ${AT} answers: Researcher 2.1, A2A 1.0, streaming → undefined`,
  ],
  'nobody listens': [
    { kind: 'not-sent', why: 'agent card: no connection' },
    false,
    `fail ${AT} shows no card: agent card: no connection → start it, or correct its url or card.url`,
  ],
  'a card without streaming': [
    { kind: 'refused', reason: 'no-streaming', why: 'agent card does not say capabilities.streaming: true' },
    true,
    `fail ${AT} cannot be used: agent card does not say capabilities.streaming: true → let the agent stream, and say so in its card`,
  ],
  'a required extension': [
    { kind: 'refused', reason: 'extension', why: 'agent requires an unsupported extension' },
    true,
    `fail ${AT} cannot be used: agent requires an unsupported extension → let the extension be optional in the agent card`,
  ],
  credentials: [
    { kind: 'credentials', why: 'HTTP 401' },
    true,
    `fail ${AT} does not take our credentials: HTTP 401 → correct identity of binding ops, or its secret`,
  ],
  'an agent that its Space blocks': [
    { kind: 'blocked', reason: 'disabled', agent: 'research', why: 'the Space blocks the agent (disabled)' },
    true,
    `fail ${AT} cannot be called: the Space blocks the agent (disabled) → look at the agent in its Space, or correct space.agent`,
  ],
  'an identity': [
    { kind: 'identity', why: '-31403' },
    true,
    `fail ${AT} does not know who we are: -31403 → correct identity of binding ops`,
  ],
  'a card, and nothing behind it': [
    { kind: 'unknown', why: 'HTTP 502' },
    true,
    `warn ${AT} shows its card, and does not answer: HTTP 502 → look at the agent's log`,
  ],
};

for (const [title, [read, hasCard, expected]] of Object.entries(TABLE))
  test(`doctor: ${title}`, async () => assert.equal(await found(read, hasCard), expected));

test('doctor: an agent that egress public does not call', async () => {
  const read = { kind: 'not-sent', why: 'agent card: no connection (A2A_EGRESS_ADDRESS_REFUSED: private)' } as const;
  const todo =
    'start it, or correct its url or card.url; only an agent at public addresses is called with egress mode public';
  assert.equal(await found(read, false, 'public'), `fail ${AT} shows no card: ${read.why} → ${todo}`);
});
