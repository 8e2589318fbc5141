import type { KnownBlock } from '@slack/types';

export type CardStatus = 'in_progress' | 'complete' | 'error';

export interface Card {
  readonly id: string;
  readonly title: string;
  readonly status: CardStatus;
  readonly details?: string;
  readonly output?: string;
}

/** A piece of a reply, in the order of the timeline. A text is inert Markdown, whole in itself. */
export type Piece = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'card'; readonly card: Card };

/** Who goes first where calls have to wait, as `Priority` has it. */
export type Weight = 'prompt' | 'final' | 'step' | 'live';

/** A message that carries an answer: can be streamed, and written in simpler forms. */
export interface ReplyBody {
  readonly kind: 'reply';
  readonly pieces: readonly Piece[];
  /** Of a live one: what of it will stay as it is, for a stream. */
  readonly settled?: readonly Piece[];
  /** The person who asked, as Slack knows them. Absent: nobody did. */
  readonly recipient?: string;
  readonly weight: Weight;
}

/** Any other message. */
export interface BlocksBody {
  readonly kind: 'blocks';
  readonly blocks: readonly KnownBlock[];
  /** What it comes to where its blocks are not taken. Inert text, not yet escaped. */
  readonly plain: string;
  readonly weight: Weight;
}

export type SlackBody = ReplyBody | BlocksBody;
