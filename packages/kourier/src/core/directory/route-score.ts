import { type AgentDocument, FIELDS, type Field, type FieldWords } from './agent-document.ts';

/** What a word counts by where it stands. */
const WEIGHTS: Readonly<Record<Field, number>> = {
  'skill-id': 4,
  'skill-tags': 4,
  'skill-name': 3,
  'agent-name': 2,
  'skill-examples': 1.5,
  'skill-description': 1,
  'agent-description': 1,
};

/** Of BM25: how soon more weight stops to count, and how much the length of a card does, past that of a usual skill. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;
const USUAL_WORDS = 60;

export interface WeighedWord {
  readonly word: string;
  /** How much it tells: the fewer agents have it, the more. */
  readonly rarity: number;
}

/** Words of one field that a message has, too. */
export interface Match {
  readonly field: Field;
  /** In the order of the message's most telling ones. */
  readonly words: readonly string[];
}

export interface Score {
  /** The place of the skill among the listing's; absent when the card has none. */
  readonly skill?: number;
  /** By what agents are ranked. */
  readonly score: number;
  /** What the matches weigh, whatever else is in the Space: by this a fit is told from a chance. */
  readonly strength: number;
  readonly matches: readonly Match[];
}

/** By BM25: what fewer have tells more. */
export function rarityOf(having: number, all: number): number {
  return Math.log(1 + (all - having + 0.5) / (having + 0.5));
}

/**
 * How well an agent fits by its best skill. A word counts once, by its most telling place, and less in long cards: a card
 * that repeats itself, or names everything, gains nothing by it. `undefined` when no skill is taken.
 */
export function scoreOf(
  document: AgentDocument,
  words: readonly WeighedWord[],
  takes: (skill: number) => boolean,
): Score | undefined {
  if (document.skills.length === 0) return scorePart(document.agent, undefined, words);
  let best: Score | undefined;
  document.skills.forEach((part, skill) => {
    if (!takes(skill)) return;
    const score = { ...scorePart(document.agent, part, words), skill };
    if (best === undefined || score.score > best.score) best = score;
  });
  return best;
}

function scorePart(agent: FieldWords, skill: FieldWords | undefined, words: readonly WeighedWord[]): Score {
  const asked = new Map(words.map(({ word }) => [word, NOWHERE]));
  for (const part of skill === undefined ? [agent] : [skill, agent]) placeWords(part, asked);
  const length = agent.words.length + (skill?.words.length ?? 0);
  const norm = 1 - LENGTH_SHARE + LENGTH_SHARE * Math.max(1, length / USUAL_WORDS);
  let [score, strength] = [0, 0];
  const matches = new Map<Field, string[]>();
  for (const { word, rarity } of words) {
    const field = fieldAt(asked.get(word));
    if (field === undefined) continue;
    const counts = WEIGHTS[field] / (WEIGHTS[field] + SATURATION * norm);
    score += rarity * counts;
    strength += counts;
    matches.set(field, [...(matches.get(field) ?? []), word]);
  }
  return {
    score,
    strength,
    matches: FIELDS.flatMap((field) => {
      const matched = matches.get(field);
      return matched === undefined ? [] : [{ field, words: matched }];
    }),
  };
}

const NOWHERE: number = FIELDS.length;

function fieldAt(place: number = NOWHERE): Field | undefined {
  return FIELDS[place];
}

/** Notes the most telling place of each word that was asked for. */
function placeWords({ words, fields }: FieldWords, asked: Map<string, number>): void {
  words.forEach((word, at) => {
    const known = asked.get(word);
    if (known !== undefined) asked.set(word, Math.min(known, fields[at] ?? known));
  });
}
