import { Lexer, type TokensList } from 'marked';
import { isTooDeep } from './tame.ts';

/** A piece of an answer that is drawn, and drawn again, on its own. */
export interface Block {
  readonly kind: 'markdown' | 'plain';
  readonly raw: string;
}

export type Definitions = TokensList['links'];

/** An answer cut into blocks. Give it back with the longer text: only the end is read again. */
export interface Blocks {
  readonly text: string;
  readonly blocks: readonly Block[];
  /** Link definitions (`[name]: url`) found so far; the same object while there is no new one. */
  readonly definitions: Definitions;
  /** `blocks` up to here, and `text` up to there, will not change when text is added. */
  readonly settledBlocks: number;
  readonly settledCharacters: number;
}

/** Read at a time. A block that is longer is shown as plain text: some markdown takes quadratic time to read. */
const WINDOW_CHARACTERS = 16_000;
/** Past it the rest of an answer is plain text. */
const MARKDOWN_CHARACTERS = 256_000;

const NOTHING: Blocks = { text: '', blocks: [], definitions: {}, settledBlocks: 0, settledCharacters: 0 };

export function splitBlocks(source: string, before: Blocks = NOTHING): Blocks {
  const text = source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source;
  if (text === before.text) return before;
  const known = text.startsWith(before.text.slice(0, before.settledCharacters)) ? before : NOTHING;
  const blocks = known.blocks.slice(0, known.settledBlocks);
  let { definitions, settledBlocks, settledCharacters: at } = known;
  while (at < text.length) {
    const window = text.slice(at, at + WINDOW_CHARACTERS);
    const last = at + window.length === text.length;
    const read = at < MARKDOWN_CHARACTERS ? readWindow(window, last) : undefined;
    if (read === undefined) {
      const piece = plainPiece(window, last);
      blocks.push({ kind: 'plain', raw: piece });
      if (last) break;
      at += piece.length;
      settledBlocks = blocks.length;
      continue;
    }
    if (Object.keys(read.definitions).length > 0) definitions = merged(definitions, read.definitions);
    settledBlocks = blocks.length + read.settledBlocks;
    blocks.push(...read.blocks);
    at += read.settledCharacters;
    if (last) break;
    blocks.length = settledBlocks;
  }
  return { text, blocks, definitions, settledBlocks, settledCharacters: at };
}

type Read = Omit<Blocks, 'text'>;

/**
 * The blocks of one window. The last two stay open: a list that seems to be over goes on when the paragraph behind it
 * turns out to be its next item. `undefined`: nothing to build on, the window is one block too long or unreadable.
 */
function readWindow(window: string, last: boolean): Read | undefined {
  if (isTooDeep(window)) return undefined;
  const lexer = new Lexer();
  try {
    lexer.blockTokens(window, lexer.tokens);
  } catch {
    return undefined;
  }
  const blocks: Block[] = [];
  const starts: number[] = [];
  let at = 0;
  for (const { type, raw } of lexer.tokens) {
    if (type !== 'space') {
      blocks.push({ kind: 'markdown', raw });
      starts.push(at);
    }
    at += raw.length;
  }
  if (at !== window.length) return undefined;
  const settledBlocks = Math.max(0, blocks.length - 2);
  const settledCharacters = starts[settledBlocks] ?? 0;
  if (!last && settledCharacters === 0) return undefined;
  return { blocks, definitions: lexer.tokens.links, settledBlocks, settledCharacters };
}

/** Ends at the end of a line where there is one, and never between the two halves of a character. */
function plainPiece(window: string, last: boolean): string {
  if (last) return window;
  const end = window.lastIndexOf('\n') + 1;
  if (end > 0) return window.slice(0, end);
  return /[\uD800-\uDBFF]$/.test(window) ? window.slice(0, -1) : window;
}

function merged(old: Definitions, found: Definitions): Definitions {
  return Object.keys(found).every((name) => name in old) ? old : { ...found, ...old };
}
