import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentId } from '../../core/thread/ids.ts';
import type { Agent, Agents, Choice, TaskRead } from '../../ports/agent.ts';
import type { Binding, Configuration, SpacePick } from '../../ports/registry.ts';
import { diagnoseAgents } from './diagnose-agents.ts';

const CARD = { name: 'Weather', description: '', version: '2.1', protocolVersion: '1.0' };
const SOUND: TaskRead = { kind: 'not-found', why: '-32001' };

async function found(pick: SpacePick, choice: Choice, read: TaskRead = SOUND, hasCard = true): Promise<string> {
  const space = { name: 'work', url: 'https://space.example', id: 'space-demo', pick };
  const bindings = new Map([['ops', { name: 'ops', space } as unknown as Binding]]);
  const agent = { getTask: async () => read } as unknown as Agent;
  const agents: Agents = {
    agentFor: (_, chosen) => (chosen === undefined ? undefined : agent),
    choose: async () => choice,
    describe: () => (hasCard ? CARD : undefined),
  };
  const findings = await diagnoseAgents(agents, { bindings } as unknown as Configuration, () => 'f'.repeat(32));
  return findings.map(({ verdict, what, todo }) => `${verdict} ${what} → ${todo}`).join();
}

const WEATHER: Choice = { kind: 'agent', agent: 'space-demo/weather' as AgentId };
const NAMED: SpacePick = { by: 'agent', agentId: 'weather' };
const SKILL: SpacePick = { by: 'skill', skillId: 'forecast' };
const nobody = (reason: 'blocked' | 'unknown-skill' | 'nothing-fits' | 'tie'): Choice => ({
  ...{ kind: 'no-agent', reason, agents: ['weather'], why: reason },
});
const SPACE = 'binding ops: Space space-demo at https://space.example';
const AGENT = 'binding ops: agent weather of Space space-demo at https://space.example';
const ANSWERS = `ok ${SPACE} answers: the first message of a thread chooses its agent → undefined`;

const TABLE: Record<string, readonly [given: Parameters<typeof found>, expected: string]> = {
  'an agent that is named is called': [
    [NAMED, WEATHER],
    `ok ${AGENT} answers: Weather 2.1, A2A 1.0, streaming → undefined`,
  ],
  'an agent that is named and not there': [
    [NAMED, WEATHER, { kind: 'not-sent', why: 'agent card: HTTP 404' }, false],
    `fail ${AGENT} shows no card: agent card: HTTP 404 → start the Space, or correct url and id of its SpaceConnection, or space.agent`,
  ],
  'a key that the agent does not get past': [
    [NAMED, WEATHER, { kind: 'credentials', why: 'HTTP 401' }],
    `fail ${AGENT} does not take our credentials: HTTP 401 → correct keySecretRef of SpaceConnection work, or its secret`,
  ],
  'nothing fits no words': [[{ by: 'message' }, nobody('nothing-fits')], ANSWERS],
  'a skill that several have': [[SKILL, nobody('tie')], ANSWERS],
  'a skill that one has': [[SKILL, WEATHER], ANSWERS],
  'a skill that nobody has': [
    [SKILL, nobody('unknown-skill')],
    `fail ${SPACE} has no agent with the skill forecast → correct space.skill of binding ops, or register one there`,
  ],
  'whoever has it is blocked': [
    [SKILL, nobody('blocked')],
    `warn ${SPACE} has nobody who can be called: weather fits and is blocked → look at the Space's agents`,
  ],
  'a key that the Space does not take': [
    [SKILL, { kind: 'credentials', why: 'the Space: HTTP 401' }],
    `fail ${SPACE} does not take our key: the Space: HTTP 401 → correct keySecretRef of SpaceConnection work, or its secret`,
  ],
  'a Space that is not there': [
    [SKILL, { kind: 'not-sent', why: 'the Space: HTTP 404' }],
    `fail ${SPACE} does not answer: the Space: HTTP 404 → start it, or correct url and id of SpaceConnection work`,
  ],
};

for (const [title, [given, expected]] of Object.entries(TABLE))
  test(`doctor of a Space: ${title}`, async () => assert.equal(await found(...given), expected));
