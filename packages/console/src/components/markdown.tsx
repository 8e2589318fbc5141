import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Block, type Blocks, type Definitions, splitBlocks } from '../markdown/blocks.ts';
import { cleanHtml } from '../markdown/clean.ts';
import { blockHtml } from '../markdown/html.ts';
import { mend } from '../markdown/mend.ts';
import { nodesOf } from '../markdown/nodes.tsx';
import { pagesOf } from '../markdown/pages.ts';
import { memo } from './memo.ts';

/** Pages that are drawn for the first time in one frame: a long answer appears from the top, and nothing freezes. */
const PAGES_A_FRAME = 2;

/** An agent's words. Read in blocks, so that only the end of a growing answer is worked on. */
export function Markdown({ text, streaming }: { readonly text: string; readonly streaming: boolean }): VNode {
  const before = useRef<Blocks | undefined>(undefined);
  const drawn = useRef<readonly (readonly Block[])[]>([]);
  before.current = splitBlocks(text, before.current);
  drawn.current = pagesOf(before.current.blocks, drawn.current);
  const pages = drawn.current;
  const shown = useGrowing(pages.length);
  return (
    <div class="markdown">
      {pages.slice(0, shown).map((blocks, at) => (
        <MarkdownPage
          key={at}
          blocks={blocks}
          definitions={before.current?.definitions ?? {}}
          last={at === pages.length - 1}
          growing={streaming && at === pages.length - 1}
        />
      ))}
    </div>
  );
}

function useGrowing(wanted: number): number {
  const [allowed, setAllowed] = useState(PAGES_A_FRAME);
  useEffect(() => {
    if (allowed >= wanted) return;
    const frame = requestAnimationFrame(() => setAllowed(allowed + PAGES_A_FRAME));
    return () => cancelAnimationFrame(frame);
  }, [allowed, wanted]);
  return Math.min(allowed, wanted);
}

interface PageProps {
  readonly blocks: readonly Block[];
  readonly definitions: Definitions;
  readonly last: boolean;
  readonly growing: boolean;
}

const MarkdownPage = memo(function MarkdownPage({ blocks, definitions, last, growing }: PageProps): VNode {
  return (
    <div class={last ? 'sheet' : 'sheet full'}>
      {blocks.map(({ kind, raw }, at) => (
        <BlockView
          key={at}
          kind={kind}
          raw={growing && at === blocks.length - 1 && kind === 'markdown' ? mend(raw) : raw}
          definitions={definitions}
        />
      ))}
    </div>
  );
});

type BlockProps = Block & { readonly definitions: Definitions };

const BlockView = memo(function BlockView({ kind, raw, definitions }: BlockProps): VNode {
  const html = kind === 'plain' ? undefined : blockHtml(raw, definitions);
  if (html === undefined) return <div class="plain">{raw}</div>;
  return <div class="block">{nodesOf(cleanHtml(html))}</div>;
});
