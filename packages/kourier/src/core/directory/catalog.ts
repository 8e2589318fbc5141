import { allWords, readDocument } from './agent-document.ts';
import type { BlockedReason } from './blocked-reason.ts';
import { type Budget, nextInAll, smallestFirst } from './in-all.ts';
import { DIRECTORY_LIMITS } from './limits.ts';
import { listingOf, nameOf } from './listing.ts';
import { cursorAt, readCursor } from './page-cursor.ts';
import type { RegisteredAgent } from './registered-agent.ts';
import type { RoutedAgent } from './route.ts';
import { type Seeker, SortedPostings } from './sorted-postings.ts';
import { WordIndex } from './word-index.ts';
import { termsOf } from './words.ts';

export interface CatalogEntry extends RoutedAgent {
  /** Name, then id: the order of the pages. */
  readonly key: string;
  readonly agent: RegisteredAgent;
}

export interface DiscoverQuery {
  /** All of its words must be somewhere in the card, the last one also as the beginning of a word. */
  readonly text?: string;
  /** An id or a tag of a skill, exactly. */
  readonly skill?: string;
  /** Whether blocked agents are listed, too. */
  readonly blocked?: boolean;
  /** What the page before ended with. */
  readonly cursor?: string;
  /** 1 to `pageAgents`; brought into that range. */
  readonly limit: number;
}

export interface CatalogPage {
  /** By name, then by id. May be fewer than `limit`, even none, though more follow: only a missing cursor says that it was the last. */
  readonly entries: readonly CatalogEntry[];
  readonly nextCursor?: string;
}

/**
 * The agents of one Space, in memory: fed with the changes of the DirectoryStore, and with whatever makes an agent callable
 * or blocks it. A page costs the same however many agents there are: at most `pageSeeks` look-ups, each of which grows
 * with the logarithm of their number. Pages neither skip nor repeat an agent that stays, while others come and go.
 */
export class Catalog {
  readonly #entries = new Map<string, CatalogEntry>();
  readonly #all = new SortedPostings<CatalogEntry>();
  readonly #callable = new SortedPostings<CatalogEntry>();
  readonly #words = new WordIndex<CatalogEntry>();
  /** By id and by tag. */
  readonly #skills = new Map<string, SortedPostings<CatalogEntry>>();
  readonly #skillIds = new Map<string, SortedPostings<CatalogEntry>>();

  get size(): number {
    return this.#entries.size;
  }

  get(agentId: string): CatalogEntry | undefined {
    return this.#entries.get(agentId);
  }

  /** Takes an agent in, in place of what was known of it. What is listed is its current card, or the one that waits. */
  put(agent: RegisteredAgent, blocked: BlockedReason | undefined): void {
    this.remove(agent.id);
    const listing = listingOf((agent.current ?? agent.pending)?.card ?? {});
    const document = readDocument(listing, (word) => this.#words.intern(word));
    const entry: CatalogEntry = { key: keyOf(agent.id, listing.name), id: agent.id, agent, listing, document, blocked };
    this.#entries.set(agent.id, entry);
    this.#words.add(entry, allWords(document));
    for (const list of this.#listsOf(entry)) list.add(entry);
  }

  remove(agentId: string): void {
    const entry = this.#entries.get(agentId);
    if (entry === undefined) return;
    this.#entries.delete(agentId);
    this.#words.delete(entry, allWords(entry.document));
    for (const list of this.#listsOf(entry)) list.delete(entry);
    for (const skills of [this.#skills, this.#skillIds])
      for (const label of labelsOf(entry)) if (skills.get(label)?.size === 0) skills.delete(label);
  }

  /** One page; `bad-cursor` when the cursor is none of ours. */
  discover(query: DiscoverQuery): CatalogPage | 'bad-cursor' {
    const from = query.cursor === undefined ? '' : readCursor(query.cursor);
    if (from === undefined) return 'bad-cursor';
    const lists = this.#wanted(query);
    if (lists === undefined) return { entries: [] };
    const limit = Math.max(1, Math.min(query.limit, DIRECTORY_LIMITS.pageAgents));
    const budget: Budget = { seeks: DIRECTORY_LIMITS.pageSeeks };
    const entries: CatalogEntry[] = [];
    let key = from;
    for (;;) {
      const next = nextInAll(lists, key, budget);
      if (next.kind === 'end') return { entries };
      if (next.kind === 'spent') return { entries, nextCursor: cursorAt(next.key) };
      // There is one beyond the page. Who comes in before it meanwhile is not skipped.
      if (entries.length >= limit) return { entries, nextCursor: cursorAt(key) };
      entries.push(next.item);
      key = `${next.item.key}\u0000`;
    }
  }

  /** How many agents have a word. */
  frequency(word: string): number {
    return this.#words.frequency(word);
  }

  /** The agents that have a word, in the order of the pages. */
  having(word: string): readonly CatalogEntry[] {
    return this.#words.having(word);
  }

  withSkill(skillId: string): readonly CatalogEntry[] {
    return this.#skillIds.get(skillId)?.items() ?? [];
  }

  skillIds(): Iterable<string> {
    return this.#skillIds.keys();
  }

  /** What an agent must stand in to be found; `undefined` when nobody stands in one of them. */
  #wanted({ text = '', skill, blocked = false }: DiscoverQuery): readonly Seeker<CatalogEntry>[] | undefined {
    const lists = [(blocked ? this.#all : this.#callable).seeker()];
    const found = termsOf(text).map((term) => this.#words.seeker(term));
    if (skill !== undefined) found.push(this.#skills.get(nameOf(skill))?.seeker());
    // Text without a word in it asks for what nobody has, not for everybody.
    if (text.trim() !== '' && found.length === (skill === undefined ? 0 : 1)) return undefined;
    for (const list of found) {
      if (list === undefined) return undefined;
      lists.push(list);
    }
    return smallestFirst(lists);
  }

  /** The lists that an entry stands in, beside those of its words. */
  #listsOf(entry: CatalogEntry): readonly SortedPostings<CatalogEntry>[] {
    const ids = new Set(entry.listing.skills.map(({ id }) => id).filter((id) => id !== ''));
    return [
      this.#all,
      ...(entry.blocked === undefined ? [this.#callable] : []),
      ...Array.from(labelsOf(entry), (label) => listIn(this.#skills, label)),
      ...Array.from(ids, (id) => listIn(this.#skillIds, id)),
    ];
  }
}

function listIn(lists: Map<string, SortedPostings<CatalogEntry>>, label: string): SortedPostings<CatalogEntry> {
  const known = lists.get(label);
  if (known !== undefined) return known;
  const list = new SortedPostings<CatalogEntry>();
  lists.set(label, list);
  return list;
}

function labelsOf({ listing }: CatalogEntry): ReadonlySet<string> {
  return new Set(listing.skills.flatMap(({ id, tags }) => [id, ...tags]).filter((label) => label !== ''));
}

function keyOf(id: string, name: string): string {
  const ordered = name.normalize('NFKC').toLowerCase().slice(0, DIRECTORY_LIMITS.orderedNameCharacters);
  // Neither has this character, so names that begin alike stay apart.
  return `${ordered}\u0000${id}`;
}
