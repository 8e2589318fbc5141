import type { Block } from './blocks.ts';

const BLOCKS_A_PAGE = 40;

/** Blocks by the page. A page whose blocks are the same objects as in `before` is the same array. */
export function pagesOf(
  blocks: readonly Block[],
  before: readonly (readonly Block[])[],
): readonly (readonly Block[])[] {
  const pages: (readonly Block[])[] = [];
  for (let from = 0; from < blocks.length; from += BLOCKS_A_PAGE) {
    const page = blocks.slice(from, from + BLOCKS_A_PAGE);
    const old = before[pages.length];
    const same = old?.length === page.length && page.every((block, at) => block === old[at]);
    pages.push(same ? old : page);
  }
  return pages;
}
