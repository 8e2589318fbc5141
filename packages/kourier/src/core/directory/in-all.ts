import type { Keyed, Seeker } from './sorted-postings.ts';

/** What a walk may still spend. */
export interface Budget {
  seeks: number;
}

export type Next<Item> =
  | { readonly kind: 'item'; readonly item: Item }
  | { readonly kind: 'end' }
  /** The budget ran out: nothing before `key` is left. */
  | { readonly kind: 'spent'; readonly key: string };

/** The first item from `key` on that is in all of the lists. The smallest leads; the others leap to where it is. */
export function nextInAll<Item extends Keyed>(lists: readonly Seeker<Item>[], key: string, budget: Budget): Next<Item> {
  let [wanted, agreeing] = [key, 0];
  for (;;) {
    for (const list of lists) {
      if (budget.seeks <= 0) return { kind: 'spent', key: wanted };
      budget.seeks -= list.cost;
      const item = list.seek(wanted);
      if (item === undefined) return { kind: 'end' };
      agreeing = item.key === wanted ? agreeing + 1 : 1;
      wanted = item.key;
      if (agreeing >= lists.length) return { kind: 'item', item };
    }
  }
}

export function smallestFirst<Item extends Keyed>(lists: readonly Seeker<Item>[]): readonly Seeker<Item>[] {
  return lists.toSorted((left, right) => left.size - right.size);
}

/** What is in any of a few lists. */
export function inAny<Item extends Keyed>(lists: readonly Seeker<Item>[]): Seeker<Item> {
  return {
    size: lists.reduce((sum, { size }) => sum + size, 0),
    cost: lists.length,
    seek(key) {
      let first: Item | undefined;
      for (const list of lists) {
        const item = list.seek(key);
        if (item !== undefined && (first === undefined || item.key < first.key)) first = item;
      }
      return first;
    },
  };
}
