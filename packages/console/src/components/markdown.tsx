import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Block, type Blocks, type Definitions, splitBlocks } from '../markdown/blocks.ts';
import { cleanHtml } from '../markdown/clean.ts';
import { blockHtml } from '../markdown/html.ts';
import { mend } from '../markdown/mend.ts';
import { nodesOf } from '../markdown/nodes.tsx';
import { memo } from './memo.ts';

/** Blocks that are drawn for the first time in one frame: a long answer appears from the top, and nothing freezes. */
const BLOCKS_A_FRAME = 60;

/** An agent's words. Read in blocks, so that only the end of a growing answer is worked on. */
export function Markdown({ text, streaming }: { readonly text: string; readonly streaming: boolean }): VNode {
  const before = useRef<Blocks | undefined>(undefined);
  before.current = splitBlocks(text, before.current);
  const { blocks, definitions } = before.current;
  const shown = useGrowing(blocks.length);
  return (
    <div class="markdown">
      {blocks.slice(0, shown).map((block, at) => (
        <BlockView
          key={at}
          kind={block.kind}
          raw={streaming && at === blocks.length - 1 && block.kind === 'markdown' ? mend(block.raw) : block.raw}
          definitions={definitions}
        />
      ))}
    </div>
  );
}

function useGrowing(wanted: number): number {
  const [allowed, setAllowed] = useState(BLOCKS_A_FRAME);
  useEffect(() => {
    if (allowed >= wanted) return;
    const frame = requestAnimationFrame(() => setAllowed(allowed + BLOCKS_A_FRAME));
    return () => cancelAnimationFrame(frame);
  }, [allowed, wanted]);
  return Math.min(allowed, wanted);
}

const BlockView = memo(function BlockView({
  kind,
  raw,
  definitions,
}: Block & { readonly definitions: Definitions }): VNode {
  const html = kind === 'plain' ? undefined : blockHtml(raw, definitions);
  if (html === undefined) return <div class="plain">{raw}</div>;
  return <div class="block">{nodesOf(cleanHtml(html))}</div>;
});
