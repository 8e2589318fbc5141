import { agentCard, type CardOptions } from './agent-card.ts';
import type { AgentDefinition, AgentSkill, AnswerTurn, Skill } from './turn.ts';

export type AgentDescription = Pick<
  AgentDefinition,
  'name' | 'description' | 'version' | 'inputModes' | 'outputModes' | 'humanInTheLoop'
>;

/**
 * Builds an agent skill by skill (rule P5). It is a definition itself, so that it can be served as it stands:
 *
 *     const agent = new AgentBuilder({ name: 'Echo', description: 'Says it again.' })
 *       .answer(async function* ({ text }) { yield text });
 *     await serveAgent(agent);
 */
export class AgentBuilder implements AgentDefinition {
  readonly name: string;
  readonly description: string;
  readonly version?: string;
  readonly inputModes?: readonly string[];
  readonly outputModes?: readonly string[];
  readonly humanInTheLoop?: boolean;
  readonly #skills: AgentSkill[] = [];
  #turn: AnswerTurn | undefined;

  constructor(description: AgentDescription) {
    this.name = description.name;
    this.description = description.description;
    if (description.version !== undefined) this.version = description.version;
    if (description.inputModes !== undefined) this.inputModes = description.inputModes;
    if (description.outputModes !== undefined) this.outputModes = description.outputModes;
    if (description.humanInTheLoop !== undefined) this.humanInTheLoop = description.humanInTheLoop;
  }

  /** Answers every message that names no skill. Without it, the first skill does. */
  answer(turn: AnswerTurn): this {
    this.#turn = turn;
    return this;
  }

  /** Adds a skill; a message picks it by `metadata.skillId` (rule P6). Throws a TypeError for an id that is taken. */
  skill(skill: Skill, turn: AnswerTurn): this {
    if (this.#skills.some(({ id }) => id === skill.id))
      throw new TypeError(`there are two skills with the id ${skill.id}`);
    this.#skills.push({ ...skill, turn });
    return this;
  }

  get skills(): readonly AgentSkill[] {
    return this.#skills;
  }

  get turn(): AnswerTurn {
    const turn = this.#turn ?? this.#skills[0]?.turn;
    if (turn === undefined) throw new TypeError('an agent needs a turn: call .answer(turn) or .skill(skill, turn)');
    return turn;
  }

  /** The A2A card of this agent at `url`, for whoever publishes it. Throws a TypeError that names what is missing or wrong. */
  toAgentCard(url: string, options?: CardOptions): Readonly<Record<string, unknown>> {
    return agentCard(this, url, options);
  }
}
