import { inertText } from './inert-text.ts';
import { isJson, listOf } from './json.ts';
import { DIRECTORY_LIMITS } from './limits.ts';
import type { Json } from './registered-agent.ts';

export interface ListedSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly examples: readonly string[];
  /** Its own, else those of the card. */
  readonly inputModes: readonly string[];
  readonly outputModes: readonly string[];
}

/** What is shown of a card, and what its agent is found by. Bounded and inert; still the words of a stranger. */
export interface Listing {
  readonly name: string;
  readonly description: string;
  readonly skills: readonly ListedSkill[];
  readonly inputModes: readonly string[];
  readonly outputModes: readonly string[];
}

/** Reads what is listed of a card of either version. What is missing or of another type is empty. */
export function listingOf(card: Json): Listing {
  const inputModes = modesOf(card['defaultInputModes']);
  const outputModes = modesOf(card['defaultOutputModes']);
  const skills: ListedSkill[] = [];
  for (const skill of listOf(card['skills'])) {
    if (skills.length === DIRECTORY_LIMITS.listedSkills) break;
    if (isJson(skill)) skills.push(skillOf(skill, { inputModes, outputModes }));
  }
  return { name: nameOf(card['name']), description: textOf(card['description']), skills, inputModes, outputModes };
}

/** An id, a name or a tag, as it is listed: what is asked for by name is read alike, so that the two can be compared. */
export function nameOf(value: unknown): string {
  return typeof value === 'string' ? inertText(value, DIRECTORY_LIMITS.listedNameCharacters) : '';
}

function skillOf(skill: Json, modes: Pick<Listing, 'inputModes' | 'outputModes'>): ListedSkill {
  return {
    id: nameOf(skill['id']),
    name: nameOf(skill['name']),
    description: textOf(skill['description']),
    tags: textsOf(skill['tags'], DIRECTORY_LIMITS.listedTags, nameOf),
    examples: textsOf(skill['examples'], DIRECTORY_LIMITS.listedExamples, textOf),
    inputModes: Array.isArray(skill['inputModes']) ? modesOf(skill['inputModes']) : modes.inputModes,
    outputModes: Array.isArray(skill['outputModes']) ? modesOf(skill['outputModes']) : modes.outputModes,
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? inertText(value, DIRECTORY_LIMITS.listedTextCharacters) : '';
}

function modesOf(value: unknown): readonly string[] {
  return textsOf(value, DIRECTORY_LIMITS.listedModes, nameOf);
}

/** The first texts of a list that say something. */
function textsOf(value: unknown, most: number, read: (item: unknown) => string): readonly string[] {
  return listOf(value)
    .slice(0, most)
    .map(read)
    .filter((text) => text !== '');
}
