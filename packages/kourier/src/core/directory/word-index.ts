import { inAny } from './in-all.ts';
import { type Keyed, type Seeker, SortedPostings } from './sorted-postings.ts';
import type { Term } from './words.ts';

/** Words that a beginning may have before it gets a list of its own; so many lists are looked through otherwise. */
const FEW_WORDS = 16;

interface Word<Item extends Keyed> {
  readonly text: string;
  readonly having: SortedPostings<Item>;
  /** Every beginning of it, itself included. */
  readonly beginnings: readonly Beginning<Item>[];
}

interface Beginning<Item extends Keyed> {
  readonly text: string;
  /** Not kept up to date once there is a list. */
  readonly few: Set<Word<Item>>;
  words: number;
  having: SortedPostings<Item> | undefined;
}

/**
 * Who has which words, and words that begin how. A beginning that many words share has a list of its own, so that a
 * search by it costs the same however many they are; the others borrow the lists of their words.
 */
export class WordIndex<Item extends Keyed> {
  readonly #words = new Map<string, Word<Item>>();
  readonly #beginnings = new Map<string, Beginning<Item>>();

  /** The text of a word that is known, so that many agents share one. */
  intern(word: string): string {
    return this.#words.get(word)?.text ?? word;
  }

  add(item: Item, words: Iterable<string>): void {
    // First the words, then the item: a list that a beginning gets meanwhile is of those who were there before.
    const known = Array.from(words, (word) => this.#words.get(word) ?? this.#learn(word));
    for (const having of listsOf(known)) having.add(item);
  }

  /** With the same words as it was added with. */
  delete(item: Item, words: Iterable<string>): void {
    const known = Array.from(words, (word) => this.#words.get(word)).filter((word) => word !== undefined);
    for (const having of listsOf(known)) having.delete(item);
    for (const word of known) if (word.having.size === 0) this.#forget(word);
  }

  /** How many have the word. */
  frequency(word: string): number {
    return this.#words.get(word)?.having.size ?? 0;
  }

  having(word: string): readonly Item[] {
    return this.#words.get(word)?.having.items() ?? [];
  }

  /** `undefined`: nobody has it. */
  seeker({ word, prefix }: Term): Seeker<Item> | undefined {
    if (!prefix) return this.#words.get(word)?.having.seeker();
    const beginning = this.#beginnings.get(word);
    if (beginning === undefined) return undefined;
    return beginning.having?.seeker() ?? inAny(Array.from(beginning.few, ({ having }) => having.seeker()));
  }

  #learn(text: string): Word<Item> {
    let read = '';
    const beginnings = Array.from(text, (character) => {
      read += character;
      return this.#beginning(read);
    });
    const word: Word<Item> = { text, having: new SortedPostings(), beginnings };
    this.#words.set(text, word);
    for (const beginning of beginnings) {
      beginning.words += 1;
      if (beginning.having !== undefined) continue;
      beginning.few.add(word);
      if (beginning.few.size <= FEW_WORDS) continue;
      const all = new Set(Array.from(beginning.few).flatMap(({ having }) => having.items()));
      beginning.having = new SortedPostings();
      for (const item of all) beginning.having.add(item);
      beginning.few.clear();
    }
    return word;
  }

  #beginning(text: string): Beginning<Item> {
    const known = this.#beginnings.get(text);
    if (known !== undefined) return known;
    const beginning: Beginning<Item> = { text, few: new Set(), words: 0, having: undefined };
    this.#beginnings.set(text, beginning);
    return beginning;
  }

  #forget(word: Word<Item>): void {
    this.#words.delete(word.text);
    for (const beginning of word.beginnings) {
      beginning.few.delete(word);
      beginning.words -= 1;
      if (beginning.words === 0) this.#beginnings.delete(beginning.text);
    }
  }
}

/** The lists that somebody with these words stands in, each once. */
function listsOf<Item extends Keyed>(words: readonly Word<Item>[]): ReadonlySet<SortedPostings<Item>> {
  const lists = new Set<SortedPostings<Item>>();
  for (const { having, beginnings } of words) {
    lists.add(having);
    for (const beginning of beginnings) if (beginning.having !== undefined) lists.add(beginning.having);
  }
  return lists;
}
