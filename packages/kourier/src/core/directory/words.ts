import { DIRECTORY_LIMITS } from './limits.ts';

/** Letters, marks and digits; also where a hyphen, an underscore or an apostrophe ties them together. */
const COMPOUND = /[\p{L}\p{M}\p{N}]+(?:[-_'’][\p{L}\p{M}\p{N}]+)*/gu;

const TIES = /[-_'’]/g;

/** Scripts that write no blank between words, or, as Hangul, tie particles to them: found by pairs of characters. */
const UNSPACED =
  /([\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+)/u;

/** `getWeather` and `HTTPServer`, between what they are made of. */
const CAMEL = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** One word that a question asks for. */
export interface Term {
  readonly word: string;
  /** Words that begin with it will do. */
  readonly prefix: boolean;
}

/**
 * The different words of a text in their order: compatible forms as one (NFKC), in lower case; of compounds and
 * camelCase the pieces and the whole. At most `most`.
 */
export function wordsOf(text: string, most: number): ReadonlySet<string> {
  const words = new Set<string>();
  const add = (word: string): void => {
    if (words.size < most) words.add(spelt(word));
  };
  for (const [compound] of text.normalize('NFKC').matchAll(COMPOUND)) {
    if (words.size >= most) break;
    const runs = compound.split(TIES).flatMap(runsOf);
    for (const [kind, run] of runs) {
      if (kind === 'unspaced') for (const pair of pairsOf(run)) add(pair);
      else for (const piece of [...run.split(CAMEL), run]) add(piece);
    }
    if (runs.length > 1 && runs.every(([kind]) => kind === 'spaced')) add(compound.replace(TIES, ''));
  }
  return words;
}

/** What a question asks for: every word of it, the last one also as a beginning. */
export function termsOf(text: string): readonly Term[] {
  const terms = new Map<string, Term>();
  const add = (word: string, prefix: boolean): void => {
    const known = terms.get(spelt(word));
    if (known === undefined && terms.size === DIRECTORY_LIMITS.questionWords) return;
    terms.set(spelt(word), { word: spelt(word), prefix: prefix && (known?.prefix ?? true) });
  };
  const read = text.slice(0, DIRECTORY_LIMITS.questionCharacters).normalize('NFKC');
  const runs = (read.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).flatMap(runsOf);
  for (const [index, [kind, run]] of runs.entries()) {
    const pairs = kind === 'unspaced' ? pairsOf(run) : [];
    // One character alone begins the pairs that it stands in.
    if (pairs.length < 2) add(run, kind === 'unspaced' || index === runs.length - 1);
    else for (const pair of pairs.slice(0, -1)) add(pair, false);
  }
  return [...terms.values()];
}

function spelt(word: string): string {
  return word.toLowerCase().slice(0, DIRECTORY_LIMITS.wordCharacters);
}

function runsOf(word: string): readonly (readonly ['spaced' | 'unspaced', string])[] {
  return word
    .split(UNSPACED)
    .map((run, index) => [index % 2 === 1 ? 'unspaced' : 'spaced', run] as const)
    .filter(([, run]) => run !== '');
}

/** Pairs of neighbours, and the last character alone, so that each character begins one of them. */
function pairsOf(run: string): readonly string[] {
  const characters = [...run];
  return characters.map((character, index) => character + (characters[index + 1] ?? ''));
}
