export interface Keyed {
  /** Unique in its list; lists are ordered by it, by code units. */
  readonly key: string;
}

/** Finds what comes next in an ordered list. */
export interface Seeker<Item extends Keyed> {
  /** How many there are, at most. */
  readonly size: number;
  /** Seeks of lists that one of its own takes. */
  readonly cost: number;
  /** The first whose key is `key` or later; keys only grow from seek to seek. Do not change the list in between. */
  seek(key: string): Item | undefined;
}

/** A full block is cut in two; so many move at most when one comes or goes. */
const BLOCK_ITEMS = 256;

/** Many that come at once are sorted in together: once they are this share of all. */
const FEW_SHARE = 8;

/**
 * A list in the order of its keys, in blocks. Adding and deleting cost about the logarithm of its length, a seek about
 * that of the distance that it goes.
 */
export class SortedPostings<Item extends Keyed> {
  #blocks: Item[][] = [];
  #added: Item[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Its key must not be there yet. */
  add(item: Item): void {
    this.#added.push(item);
    this.#size += 1;
  }

  delete(item: Item): void {
    this.#settle();
    const at = this.#blockOf(item.key);
    const block = this.#blocks[at];
    const index = block === undefined ? -1 : firstFrom(0, block.length, (place) => isBefore(block[place], item.key));
    if (block?.[index]?.key !== item.key) return;
    block.splice(index, 1);
    this.#size -= 1;
    if (block.length === 0) this.#blocks.splice(at, 1);
  }

  /** In their order. */
  items(): readonly Item[] {
    this.#settle();
    return this.#blocks.flat();
  }

  seeker(): Seeker<Item> {
    this.#settle();
    const blocks = this.#blocks;
    let [at, index] = [0, 0];
    return {
      size: this.#size,
      cost: 1,
      seek(key) {
        const next = firstFrom(at, blocks.length, (place) => isBefore(blocks[place]?.at(-1), key));
        if (next !== at) [at, index] = [next, 0];
        const block = blocks[at];
        if (block === undefined) return undefined;
        index = firstFrom(index, block.length, (place) => isBefore(block[place], key));
        return block[index];
      },
    };
  }

  #settle(): void {
    if (this.#added.length === 0) return;
    const added = this.#added;
    this.#added = [];
    if (added.length * FEW_SHARE < this.#size) {
      for (const item of added) this.#insert(item);
      return;
    }
    const all = [...this.#blocks.flat(), ...added].sort((left, right) => (left.key < right.key ? -1 : 1));
    this.#blocks = [];
    // Half full, so that what comes next does not cut them all at once.
    for (let at = 0; at < all.length; at += BLOCK_ITEMS / 2) this.#blocks.push(all.slice(at, at + BLOCK_ITEMS / 2));
  }

  #insert(item: Item): void {
    const at = Math.min(this.#blockOf(item.key), this.#blocks.length - 1);
    const block = this.#blocks[at];
    if (block === undefined) {
      this.#blocks.push([item]);
      return;
    }
    block.splice(
      firstFrom(0, block.length, (place) => isBefore(block[place], item.key)),
      0,
      item,
    );
    if (block.length > BLOCK_ITEMS)
      this.#blocks.splice(at, 1, block.slice(0, BLOCK_ITEMS / 2), block.slice(BLOCK_ITEMS / 2));
  }

  /** The block that has the key, or that it would be in. */
  #blockOf(key: string): number {
    return firstFrom(0, this.#blocks.length, (place) => isBefore(this.#blocks[place]?.at(-1), key));
  }
}

function isBefore(item: Keyed | undefined, key: string): boolean {
  return item !== undefined && item.key < key;
}

/** The first place from `start` on that is not `before`: gallops, then halves. `before` holds up to some place, and not from there on. */
function firstFrom(start: number, length: number, before: (place: number) => boolean): number {
  let [low, step] = [start, 1];
  while (low < length && before(low)) {
    const next = low + step;
    if (next >= length || !before(next)) {
      // The first that is not before lies behind `low`, up to `next`.
      let high = Math.min(next, length);
      low += 1;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (before(middle)) low = middle + 1;
        else high = middle;
      }
      return low;
    }
    low = next;
    step *= 2;
  }
  return low;
}
