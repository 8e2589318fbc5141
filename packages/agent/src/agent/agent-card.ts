import { validateCard } from '@agentkourier/a2a/validate-card';
import { withoutEndSlashes } from '@agentkourier/a2a/without-end-slashes';
import type { AgentDefinition, Skill } from './turn.ts';

/** Kagent's extension for approvals and structured questions (contract rule Q4). */
export const HITL_EXTENSION = 'https://kagent.dev/extensions/hitl/v1';

export interface CardOptions {
  /** `1.0` unless given. */
  readonly protocol?: '1.0' | '0.3';
  readonly pushNotifications?: boolean;
  /** Whether authenticated callers get a fuller card (rule C6). */
  readonly extendedCard?: boolean;
}

/** Where an agent at a base URL speaks, relative to it. In 0.3 the paths of HTTP+JSON begin with `/v1`, in 1.0 the interface does. */
export const PATHS = {
  card: '/.well-known/agent-card.json',
  /** Where A2A 0.2 had it. */
  card02: '/.well-known/agent.json',
  jsonRpc: '/a2a/jsonrpc',
  httpJson: '/a2a/v1',
  httpJson03: '/a2a',
} as const;

/**
 * The card of an agent at `url`, which is absolute: what it has to say and nothing else (rule A1). Throws a TypeError
 * that names what is missing or wrong, because an agent with a card that says nothing is found by nobody (case C001).
 */
export function agentCard(
  agent: AgentDefinition,
  url: string,
  options: CardOptions = {},
): Readonly<Record<string, unknown>> {
  judge(agent);
  const card = cardOf(agent, withoutEndSlashes(String(url ?? '')), options);
  const { faults } = validateCard(card, options.protocol ?? '1.0');
  if (faults.length === 0) return card;
  throw new TypeError(
    `an agent needs a valid card: ${faults.map(({ path, message }) => `${path}: ${message}`).join('; ')}`,
  );
}

function cardOf(agent: AgentDefinition, base: string, options: CardOptions): Readonly<Record<string, unknown>> {
  const { name, description, version = '0.0.0', inputModes = ['text/plain'], outputModes = ['text/plain'] } = agent;
  const common = { name, description, version, defaultInputModes: inputModes, defaultOutputModes: outputModes };
  const capabilities = {
    streaming: true,
    pushNotifications: options.pushNotifications ?? false,
    ...(agent.humanInTheLoop
      ? { extensions: [{ uri: HITL_EXTENSION, description: 'Asks for approvals and with choices.' }] }
      : {}),
  };
  const skills = skillsOf(agent).map(cardSkill);
  if (options.protocol === '0.3') {
    return {
      protocolVersion: '0.3.0',
      ...common,
      url: base + PATHS.jsonRpc,
      preferredTransport: 'JSONRPC',
      additionalInterfaces: [
        { url: base + PATHS.jsonRpc, transport: 'JSONRPC' },
        { url: base + PATHS.httpJson03, transport: 'HTTP+JSON' },
      ],
      capabilities,
      skills,
      ...(options.extendedCard ? { supportsAuthenticatedExtendedCard: true } : {}),
    };
  }
  return {
    ...common,
    supportedInterfaces: [
      { url: base + PATHS.jsonRpc, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: base + PATHS.httpJson, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ],
    capabilities: { ...capabilities, ...(options.extendedCard ? { extendedAgentCard: true } : {}) },
    skills,
  };
}

/** What the agent can do: one skill named after it where it names none. */
export function skillsOf(agent: AgentDefinition): readonly Skill[] {
  if (agent.skills !== undefined && agent.skills.length > 0) return agent.skills;
  return [{ id: 'answer', name: agent.name, description: agent.description, tags: ['chat'] }];
}

function cardSkill({ id, name, description, tags, examples, inputModes, outputModes }: Skill): object {
  return {
    id,
    name,
    description,
    tags,
    ...(examples === undefined ? {} : { examples }),
    ...(inputModes === undefined ? {} : { inputModes }),
    ...(outputModes === undefined ? {} : { outputModes }),
  };
}

function judge(agent: AgentDefinition): void {
  const missing = (['name', 'description'] as const).filter((key) => !isText(agent[key]));
  const turns = [agent.turn, ...(agent.skills ?? []).map(({ turn }) => turn)];
  if (!turns.some((turn) => typeof turn === 'function')) {
    throw new TypeError('an agent needs a turn: an async generator function, or a function');
  }
  if (missing.length > 0) throw new TypeError(`an agent needs a non-empty ${missing.join(' and a ')}`);
  for (const skill of agent.skills ?? []) {
    const lacks = (['id', 'name', 'description'] as const).filter((key) => !isText(skill[key]));
    if (lacks.length > 0) throw new TypeError(`a skill needs a non-empty ${lacks.join(' and a ')}`);
    if (!Array.isArray(skill.tags)) throw new TypeError(`the skill ${skill.id} needs tags: a list of words`);
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}
