import { DIRECTORY_LIMITS } from './limits.ts';
import type { Listing } from './listing.ts';
import { wordsOf } from './words.ts';

/** Where a word stands, the most telling place first. */
export const FIELDS = [
  'skill-id',
  'skill-tags',
  'skill-name',
  'agent-name',
  'skill-examples',
  'skill-description',
  'agent-description',
] as const;
export type Field = (typeof FIELDS)[number];

/** Each word once, with the most telling of its places: saying it again makes it no truer. */
export interface FieldWords {
  readonly words: readonly string[];
  /** Beside each word its place in `FIELDS`. */
  readonly fields: readonly number[];
}

/** The words of a listing. */
export interface AgentDocument {
  readonly agent: FieldWords;
  /** In the order of the listing's skills. */
  readonly skills: readonly FieldWords[];
}

export function readDocument(listing: Listing, intern: (word: string) => string): AgentDocument {
  return {
    agent: fieldWords(
      [
        ['agent-name', [listing.name]],
        ['agent-description', [listing.description]],
      ],
      intern,
    ),
    skills: listing.skills.map((skill) =>
      fieldWords(
        [
          ['skill-id', [skill.id]],
          ['skill-tags', skill.tags],
          ['skill-name', [skill.name]],
          ['skill-examples', skill.examples],
          ['skill-description', [skill.description]],
        ],
        intern,
      ),
    ),
  };
}

/** Every word that an agent is found by. */
export function allWords({ agent, skills }: AgentDocument): ReadonlySet<string> {
  const words = new Set(agent.words);
  for (const skill of skills) for (const word of skill.words) words.add(word);
  return words;
}

/** The fields come with the most telling first. */
function fieldWords(
  fields: readonly (readonly [Field, readonly string[]])[],
  intern: (word: string) => string,
): FieldWords {
  const placed = new Map<string, number>();
  for (const [field, texts] of fields) {
    for (const text of texts) {
      for (const word of wordsOf(text, DIRECTORY_LIMITS.indexedWords)) {
        if (placed.size === DIRECTORY_LIMITS.indexedWords) break;
        if (!placed.has(word)) placed.set(intern(word), FIELDS.indexOf(field));
      }
    }
  }
  return { words: [...placed.keys()], fields: [...placed.values()] };
}
