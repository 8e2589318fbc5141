import type { KnownBlock } from '@slack/types';
import { SLACK } from '../slack-limits.ts';
import { escapedMrkdwn, inertPlain } from './inert.ts';
import { shortened } from './measure.ts';
import { mrkdwn, plainOf } from './mrkdwn.ts';
import type { Card, Piece, SlackBody } from './slack-body.ts';
import { plainContext, richText, textPieces } from './text-blocks.ts';

/** What a message is sent as. `text` is what a notification shows where there are blocks. */
export interface Form {
  readonly text: string;
  readonly blocks: readonly KnownBlock[];
}

/** The best form and those to fall back on, each simpler than the one before (case C163). */
export const FORMS = ['best', 'sections', 'rich', 'text'] as const;
export type FormName = (typeof FORMS)[number];

/** Slack's words for a form that it does not take. The same form would bring the same. */
const NOT_TAKEN = [
  'msg_too_long',
  'msg_blocks_too_long',
  'msg_blocks_too_many',
  'invalid_blocks',
  'invalid_blocks_format',
  'block_mismatch',
  'markdown_text_conflict',
  'invalid_attachments',
  'too_many_attachments',
  'invalid_arguments',
  'no_text',
];

export const isFormRefused = (error: string): boolean => NOT_TAKEN.includes(error);

export function formOf(body: SlackBody, name: FormName): Form {
  const plain = body.kind === 'reply' ? plainReply(body.pieces) : body.plain;
  const text = fallback(plain, name === 'text' ? SLACK.updateText : SLACK.fallbackText);
  switch (name) {
    case 'best':
      return { text, blocks: body.kind === 'reply' ? body.pieces.map(blockOf) : body.blocks };
    case 'sections':
      return { text, blocks: body.kind === 'reply' ? body.pieces.flatMap(sectionsOf) : [richText(plain || ' ')] };
    case 'rich':
      return { text, blocks: [richText(plain || ' ')] };
    case 'text':
      return { text, blocks: [] };
  }
}

function blockOf(piece: Piece): KnownBlock {
  if (piece.kind === 'text') return { type: 'markdown', text: piece.text };
  const { id, title, status, details, output } = piece.card;
  return {
    type: 'task_card',
    task_id: id,
    title,
    status,
    ...(details !== undefined && { details: richText(details) }),
    ...(output !== undefined && { output: richText(output) }),
  };
}

/** Sections take so many characters of escaped text; what is cut is the text, never an entity. */
function sectionsOf(piece: Piece): KnownBlock[] {
  if (piece.kind === 'card') return [plainContext(cardLine(piece.card))];
  return textPieces(mrkdwn(piece.text), SLACK.sectionText)
    .filter((text) => text.trim() !== '')
    .map((text) => ({ type: 'section', text: { type: 'mrkdwn', text } }));
}

const MARKS = { in_progress: '…', complete: '✓', error: '✗' } as const satisfies Record<Card['status'], string>;

function cardLine({ title, status, details, output }: Card): string {
  return [`${MARKS[status]} ${title}`, details, output].filter((each) => each !== undefined).join(' · ');
}

function plainReply(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (piece.kind === 'text' ? plainOf(piece.text) : cardLine(piece.card))).join('\n');
}

/** Escaped text of at most so many characters. */
function fallback(plain: string, characters: number): string {
  const words = inertPlain(plain);
  for (let room = characters; ; room = Math.floor(room * 0.8)) {
    const text = escapedMrkdwn(shortened(words, room));
    if (text.length <= characters || room < 10) return text.trim() === '' ? '…' : text;
  }
}
