import type { AnyChunk } from '@slack/types';
import type { Card, Piece } from '../layout/slack-body.ts';

/** What a stream has been sent, in its order. */
export type Sent = readonly Piece[];

/** `no-way`: a stream only grows, and this is not what it had with something added. */
export type Delta =
  | { readonly kind: 'grows'; readonly chunks: readonly AnyChunk[]; readonly sent: Sent }
  | { readonly kind: 'same' }
  | { readonly kind: 'no-way' };

/**
 * What has to be appended so that a stream says what the pieces say (cases C155, C157). Only the last text can grow. A
 * card's title and status are replaced by what is sent; its details and output would grow by it, so they are sent once.
 */
export function streamDelta(sent: Sent, pieces: readonly Piece[]): Delta {
  if (pieces.length < sent.length) return { kind: 'no-way' };
  const chunks: AnyChunk[] = [];
  const after: Piece[] = [];
  for (const [index, piece] of pieces.entries()) {
    const before = sent[index];
    if (piece.kind === 'text') {
      const had = before === undefined ? '' : before.kind === 'text' ? before.text : undefined;
      if (had === undefined || !piece.text.startsWith(had)) return { kind: 'no-way' };
      const more = piece.text.slice(had.length);
      if (more !== '' && index < sent.length - 1) return { kind: 'no-way' };
      if (more !== '') chunks.push({ type: 'markdown_text', text: more } as AnyChunk);
      after.push(piece);
      continue;
    }
    if (before?.kind === 'text' || (before && before.card.id !== piece.card.id)) return { kind: 'no-way' };
    const update = cardUpdate(before?.card, piece.card);
    if (update !== undefined) chunks.push(update.chunk);
    after.push({ kind: 'card', card: update?.card ?? before?.card ?? piece.card });
  }
  return chunks.length === 0 ? { kind: 'same' } : { kind: 'grows', chunks, sent: after };
}

function cardUpdate(
  before: Card | undefined,
  { id, title, status, details, output }: Card,
): { readonly chunk: AnyChunk; readonly card: Card } | undefined {
  const newDetails = before?.details === undefined ? details : undefined;
  const newOutput = before?.output === undefined ? output : undefined;
  const isSame = before?.title === title && before.status === status;
  if (isSame && newDetails === undefined && newOutput === undefined) return undefined;
  const once = {
    ...(newDetails !== undefined && { details: newDetails }),
    ...(newOutput !== undefined && { output: newOutput }),
  };
  const chunk = { type: 'task_update', id, title, status, ...once } as AnyChunk;
  return { chunk, card: { ...before, id, title, status, ...once } };
}
