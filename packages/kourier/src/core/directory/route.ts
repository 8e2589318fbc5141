import { nearest } from '../nearest.ts';
import type { AgentDocument, Field } from './agent-document.ts';
import type { BlockedReason } from './blocked-reason.ts';
import { inertText } from './inert-text.ts';
import { DIRECTORY_LIMITS } from './limits.ts';
import { type Listing, nameOf } from './listing.ts';
import { fitsModes, takesMode } from './modes.ts';
import { rarityOf, type Score, scoreOf, type WeighedWord } from './route-score.ts';
import { isStopWord } from './stop-words.ts';
import { wordsOf } from './words.ts';

/** An agent as the router sees it. */
export interface RoutedAgent {
  readonly id: string;
  readonly listing: Listing;
  readonly document: AgentDocument;
  readonly blocked: BlockedReason | undefined;
}

/** Among whom is chosen; a `Catalog` is one. The order of its answers does not matter. */
export interface RoutedAgents {
  readonly size: number;
  frequency(word: string): number;
  having(word: string): readonly RoutedAgent[];
  withSkill(skillId: string): readonly RoutedAgent[];
  skillIds(): Iterable<string>;
}

/** What a message asks for. */
export interface RouteQuestion {
  readonly text: string;
  /** The id of a skill (rule P6): then nobody without it is chosen. */
  readonly skillId?: string;
  /** Media types of the message's parts; the skill takes all of them. */
  readonly inputModes?: readonly string[];
  /** Media types that the sender takes; the skill gives one of them. */
  readonly outputModes?: readonly string[];
}

export type Because =
  /** It has the skill that was asked for by its id. */
  | { readonly kind: 'skill'; readonly skillId: string }
  /** Words of the message stand in its card; of a skill, in that one. */
  | { readonly kind: 'words'; readonly field: Field; readonly skillId?: string; readonly words: readonly string[] }
  /** It takes and gives the media types that were asked for. */
  | { readonly kind: 'modes'; readonly inputModes: readonly string[]; readonly outputModes: readonly string[] };

export interface RouteCandidate {
  readonly agentId: string;
  /** To compare within one answer; rounded to thousandths. */
  readonly score: number;
  readonly because: readonly Because[];
}

export interface BlockedCandidate extends RouteCandidate {
  readonly blockedReason: BlockedReason;
}

export const NO_ROUTE_REASONS = ['unknown-skill', 'blocked', 'modes', 'nothing-fits'] as const;

/**
 * `tie`: the best are too close to choose. `none`: `unknown-skill` with those that are written alike; `blocked`: whoever
 * fits cannot be called; `modes`: whoever fits takes or gives other media types; `nothing-fits`.
 */
export type Routing = {
  /** Who can be called, the best first; of `none`, who came nearest. */
  readonly candidates: readonly RouteCandidate[];
  /** Who would have been chosen, or would have tied, and cannot be called. */
  readonly blocked: readonly BlockedCandidate[];
} & (
  | { readonly outcome: 'agent'; readonly agentId: string; readonly skillId?: string }
  | { readonly outcome: 'tie' }
  | {
      readonly outcome: 'none';
      readonly reason: (typeof NO_ROUTE_REASONS)[number];
      readonly nearestSkillIds: readonly string[];
    }
);

/**
 * The floor: what the matches of a fit weigh at least. One word in the id, a tag or the name of a skill, or in the name of
 * the agent, in a card of usual length, is enough; one in an example or a description is not, two are.
 */
const FIT_STRENGTH = 0.6;

/** The margin: whoever scores this share of the best, or more, ties with it. */
const TIE_SHARE = 0.9;

/** From so many agents on, a word that more than half of them have tells nothing. */
const MANY_AGENTS = 5;

interface Ranked extends Score {
  readonly agent: RoutedAgent;
}

/**
 * Picks the agent for a message, or says that none fits or several do; never guesses (rule C8). By the id of a skill when
 * the message names one, else, and among those that have it, by the words that they share with the message. The same
 * agents and question give the same answer.
 */
export function route(agents: RoutedAgents, asked: RouteQuestion): Routing {
  const question = bounded(asked);
  const { skillId } = question;
  const words = tellingWords(agents, question.text);
  const pool = skillId === undefined ? withAnyOf(agents, words) : agents.withSkill(skillId);
  if (skillId !== undefined && pool.length === 0)
    return { ...NOBODY, outcome: 'none', reason: 'unknown-skill', nearestSkillIds: nearestSkills(agents, skillId) };
  const ranked = rank(pool, question, words);
  const isFit = ({ strength }: Score): boolean => skillId !== undefined || strength >= FIT_STRENGTH;
  const callable = ranked.filter(({ agent }) => agent.blocked === undefined);
  const best = callable.find(isFit);
  const least = best === undefined ? 0 : TIE_SHARE * best.score;
  const explained = {
    candidates: callable.slice(0, DIRECTORY_LIMITS.routeCandidates).map((one) => candidate(one, question)),
    blocked: ranked
      .filter((one) => one.agent.blocked !== undefined && isFit(one) && one.score >= least)
      .slice(0, DIRECTORY_LIMITS.routeCandidates)
      .flatMap((one) => blockedCandidate(one, question)),
  };
  if (best === undefined) {
    const isOfModes = (): boolean => rank(pool, skillOf(skillId), words).some(isFit);
    const reason = explained.blocked.length > 0 ? 'blocked' : isOfModes() ? 'modes' : 'nothing-fits';
    return { ...explained, outcome: 'none', reason, nearestSkillIds: [] };
  }
  if (callable.some((other) => other !== best && other.score >= least)) return { ...explained, outcome: 'tie' };
  return { ...explained, outcome: 'agent', agentId: best.agent.id, ...skillOf(skillIdOf(best)) };
}

const NOBODY = { candidates: [], blocked: [] } as const;

function bounded({
  text,
  skillId,
  inputModes = [],
  outputModes = [],
}: RouteQuestion): Required<Omit<RouteQuestion, 'skillId'>> & { readonly skillId?: string } {
  return {
    text: inertText(text, DIRECTORY_LIMITS.questionCharacters),
    inputModes: inputModes.slice(0, DIRECTORY_LIMITS.routeModes),
    outputModes: outputModes.slice(0, DIRECTORY_LIMITS.routeModes),
    ...skillOf(skillId === undefined ? undefined : nameOf(skillId)),
  };
}

function skillOf(skillId: string | undefined): { readonly skillId?: string } {
  return skillId === undefined ? {} : { skillId };
}

/** The words of a message that tell one agent from another, the most telling first. */
function tellingWords(agents: RoutedAgents, text: string): readonly WeighedWord[] {
  const words: WeighedWord[] = [];
  for (const word of wordsOf(text, Number.POSITIVE_INFINITY)) {
    const having = isStopWord(word) ? 0 : agents.frequency(word);
    const isOfMost = agents.size >= MANY_AGENTS && having > agents.size / 2;
    if (having > 0 && !isOfMost) words.push({ word, rarity: rarityOf(having, agents.size) });
  }
  return words.sort((left, right) => right.rarity - left.rarity).slice(0, DIRECTORY_LIMITS.routeWords);
}

function withAnyOf(agents: RoutedAgents, words: readonly WeighedWord[]): readonly RoutedAgent[] {
  return [...new Set(words.flatMap(({ word }) => agents.having(word)))];
}

/** The best first; equal ones by their ids. Whoever does not fit the media types is left out. */
function rank(
  pool: readonly RoutedAgent[],
  question: Pick<RouteQuestion, 'skillId' | 'inputModes' | 'outputModes'>,
  words: readonly WeighedWord[],
): readonly Ranked[] {
  const ranked: Ranked[] = [];
  for (const agent of pool) {
    if (agent.document.skills.length === 0 && !fitsAll(agent.listing, question)) continue;
    const score = scoreOf(agent.document, words, (at) => {
      const skill = agent.listing.skills[at];
      return (
        skill !== undefined &&
        (question.skillId === undefined || skill.id === question.skillId) &&
        fitsAll(skill, question)
      );
    });
    if (score !== undefined) ranked.push({ ...score, agent });
  }
  return ranked.sort((left, right) => right.score - left.score || (left.agent.id < right.agent.id ? -1 : 1));
}

function fitsAll(
  offered: Pick<Listing, 'inputModes' | 'outputModes'>,
  { inputModes = [], outputModes = [] }: Pick<RouteQuestion, 'inputModes' | 'outputModes'>,
): boolean {
  return inputModes.every((mode) => takesMode(mode, offered.inputModes)) && fitsModes(outputModes, offered.outputModes);
}

function skillIdOf({ agent, skill }: Ranked): string | undefined {
  return skill === undefined ? undefined : agent.listing.skills[skill]?.id;
}

function candidate(ranked: Ranked, question: ReturnType<typeof bounded>): RouteCandidate {
  const { inputModes, outputModes, skillId } = question;
  const of = skillIdOf(ranked);
  return {
    agentId: ranked.agent.id,
    score: Math.round(ranked.score * 1_000) / 1_000,
    because: [
      ...(skillId === undefined ? [] : [{ kind: 'skill' as const, skillId }]),
      ...ranked.matches.map(({ field, words }) => ({
        kind: 'words' as const,
        field,
        ...skillOf(field.startsWith('skill') ? of : undefined),
        words,
      })),
      ...(inputModes.length + outputModes.length === 0 ? [] : [{ kind: 'modes' as const, inputModes, outputModes }]),
    ],
  };
}

function blockedCandidate(ranked: Ranked, question: ReturnType<typeof bounded>): readonly BlockedCandidate[] {
  const { blocked } = ranked.agent;
  return blocked === undefined ? [] : [{ ...candidate(ranked, question), blockedReason: blocked }];
}

/** The ids that somebody who asked for an unknown one may have meant, the nearest first. */
function nearestSkills(agents: RoutedAgents, skillId: string): readonly string[] {
  // Of many, those that begin alike, in an order that does not depend on who came first.
  const known = [...agents.skillIds()]
    .sort()
    .sort((left, right) => Number(right[0] === skillId[0]) - Number(left[0] === skillId[0]))
    .slice(0, DIRECTORY_LIMITS.comparedSkills);
  const found: string[] = [];
  while (found.length < DIRECTORY_LIMITS.nearestSkills) {
    const next = nearest(
      skillId,
      known.filter((id) => !found.includes(id)),
    );
    if (next === undefined) break;
    found.push(next);
  }
  return found;
}
