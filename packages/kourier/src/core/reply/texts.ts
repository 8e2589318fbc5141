import { LIMITS } from '../limits.ts';

/** What separates the texts of two artifacts. */
export const BETWEEN = '\n\n';

/**
 * The texts of a turn's artifacts, in the order in which they first appeared. A chunk costs what it brings: lengths are
 * kept, and the whole is only put together when it is asked for.
 */
export class Texts {
  #texts = new Map<string, string>();
  /** Characters of all texts, and how many of them are not empty. */
  #characters = 0;
  #filled = 0;
  #last: string | undefined;
  /** A change was refused, because the answer would have grown past a limit. */
  overLimit = false;

  get(id: string): string {
    return this.#texts.get(id) ?? '';
  }

  set(id: string, text: string): void {
    const before = this.#texts.get(id);
    const characters = this.#characters - (before?.length ?? 0) + text.length;
    if (characters > LIMITS.answerCharacters || (before === undefined && this.#texts.size >= LIMITS.artifacts)) {
      this.overLimit = true;
      return;
    }
    if (before === undefined) this.#last = id;
    this.#filled += Number(text !== '') - Number((before ?? '') !== '');
    this.#characters = characters;
    this.#texts.set(id, text);
  }

  /** The order in which the agent has the artifacts, for one who came later and may have heard a later one first. */
  place(order: readonly string[]): void {
    const known = [...this.#texts.keys()];
    if (known.every((id, index) => order[index] === id)) return;
    const placed = new Map(order.slice(0, LIMITS.artifacts).map((id) => [id, this.get(id)]));
    for (const [id, text] of this.#texts) placed.set(id, text);
    this.#texts = placed;
    this.#last = [...placed.keys()].at(-1);
  }

  /** Of the whole, with what stands between the artifacts. */
  get length(): number {
    return this.#characters + BETWEEN.length * Math.max(0, this.#filled - 1);
  }

  /** Where an artifact's text begins in the whole. At once for the newest, else linear in the number of artifacts. */
  startOf(id: string): number {
    if (!this.#texts.has(id)) return this.#next;
    if (id === this.#last) return this.get(id) === '' ? this.#next : this.length - this.get(id).length;
    let start = 0;
    for (const [other, text] of this.#texts) {
      if (other === id) break;
      if (text !== '') start += text.length + BETWEEN.length;
    }
    return start;
  }

  /** The same for many of them, linear in their number altogether. */
  starts(): (id: string) => number {
    const starts = new Map<string, number>();
    let start = 0;
    for (const [id, text] of this.#texts) {
      starts.set(id, start);
      if (text !== '') start += text.length + BETWEEN.length;
    }
    return (id) => starts.get(id) ?? this.#next;
  }

  /** Where a new text would begin. */
  get #next(): number {
    return this.length + (this.#filled > 0 ? BETWEEN.length : 0);
  }

  /** The whole: empty texts are left out (rule R12), the others separated by a blank line. Linear in its size. */
  join(): string {
    if (this.#texts.size === 1) return this.#texts.values().next().value ?? '';
    return [...this.#texts.values()].filter((text) => text !== '').join(BETWEEN);
  }
}
