import type { Block } from './blocks.ts';

type Page = readonly Block[];

const BLOCKS_A_PAGE = 40;
const CHARACTERS_A_PAGE = 16_000;

/** Blocks by the page. A page whose blocks are the same objects as in `before` is the same array. */
export function pagesOf(blocks: readonly Block[], before: readonly Page[]): readonly Page[] {
  const pages: Page[] = [];
  for (let from = 0; from < blocks.length; ) {
    const page = blocks.slice(from, endOfPage(blocks, from));
    const old = before[pages.length];
    const same = old?.length === page.length && page.every((block, at) => block === old[at]);
    pages.push(same ? old : page);
    from += page.length;
  }
  return pages;
}

function endOfPage(blocks: readonly Block[], from: number): number {
  let characters = 0;
  let end = from;
  while (end < blocks.length && end < from + BLOCKS_A_PAGE && characters < CHARACTERS_A_PAGE) {
    characters += blocks[end++]?.raw.length ?? 0;
  }
  return end;
}
