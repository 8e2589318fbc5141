import type { KnownBlock, RichTextBlock } from '@slack/types';
import { SLACK } from '../slack-limits.ts';
import { graphemeBound } from './measure.ts';

/** A text in pieces of at most so many characters, none cut in a character or an entity. Their joined text is the whole. */
export function textPieces(text: string, characters: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at, at + characters + 1);
    const line = rest.length > characters ? rest.lastIndexOf('\n', characters - 1) + 1 : 0;
    const cut = line > characters / 2 ? line : graphemeBound(rest, Math.min(rest.length, characters));
    const entity = /&[a-z]{0,4}$/.exec(rest.slice(0, cut));
    const whole = Math.max(rest.length > characters && entity !== null && entity.index > 0 ? entity.index : cut, 1);
    pieces.push(rest.slice(0, whole));
    at += whole;
  }
  return pieces;
}

/** Text that no reader of markup sees, however long. */
export function plainSections(text: string): KnownBlock[] {
  return textPieces(text, SLACK.sectionText)
    .filter((piece) => piece.trim() !== '')
    .map((piece) => ({ type: 'section', text: { type: 'plain_text', text: piece, emoji: false } }));
}

export function plainContext(text: string): KnownBlock {
  return { type: 'context', elements: [{ type: 'plain_text', text: text.slice(0, SLACK.sectionText), emoji: false }] };
}

export function richText(text: string): RichTextBlock {
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }] };
}

/** Text that stands as it is, and that nothing in it can end (case C104). */
export function preformatted(text: string): RichTextBlock {
  return { type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }] };
}
