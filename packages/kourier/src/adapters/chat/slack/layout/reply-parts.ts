import type { AnswerEntry, StepEntry } from '../../../../core/thread/entry.ts';
import { SLACK } from '../slack-limits.ts';
import { type Carried, closed, cutMarkdown } from './cut-markdown.ts';
import { inertMarkdown, settledEnd } from './inert.ts';
import { bytesOf } from './measure.ts';
import type { Card, Piece } from './slack-body.ts';
import { cardBytes, foldedCard, stepCard } from './step-card.ts';

const TOO_LONG = 'The answer goes on, but no more of it can be shown in this thread.';

/** One message of a reply. */
export interface ReplyPart {
  readonly pieces: readonly Piece[];
  /** Of the last piece, when it is still growing: what will stay as it is. */
  readonly settled: readonly Piece[];
}

/**
 * Pieces of an answer and steps as messages, in their order. What stands in a message does not depend on what comes
 * later, as long as the answer only grows.
 */
export function replyParts(entries: readonly (AnswerEntry | StepEntry)[]): readonly ReplyPart[] {
  const writer = new PartWriter();
  let row: StepEntry[] = [];
  const endRow = (): void => {
    for (const step of row.slice(0, SLACK.stepsInRow)) writer.card(stepCard(step));
    const folded = row.slice(SLACK.stepsInRow);
    const [first] = folded;
    if (first) writer.card(folded.length === 1 ? stepCard(first) : foldedCard(folded, first.id));
    row = [];
  };
  for (const entry of entries) {
    if (entry.kind === 'step') row.push(entry);
    else if (entry.text.trim() !== '' || row.length === 0) {
      endRow();
      writer.text(entry.text, entry.streaming);
    }
  }
  endRow();
  return writer.end();
}

class PartWriter {
  readonly #parts: Piece[][] = [[]];
  #bytes = 0;
  #blocks = 0;
  #carried: Carried = {};
  /** Of the last text, while it grows, what will stay as it is. */
  #growing: string | undefined;

  text(whole: string, isGrowing: boolean): void {
    // What cannot be shown any more is not read.
    const text = whole.slice(0, (SLACK.replyMessages + 1) * SLACK.messageBytes);
    let rest = inertMarkdown(text);
    const openEnd = isGrowing ? unsettled(rest, inertMarkdown(text.slice(0, settledEnd(text)))) : 0;
    while (rest !== '' && !this.#full) {
      const isFirst = this.#part.length === 0;
      const room = { bytes: SLACK.messageBytes - this.#bytes, blocks: SLACK.messageBlocks - this.#blocks };
      const before = this.#carried;
      const cut = cutMarkdown(rest, room, before, isFirst);
      if (cut.raw === '') {
        this.#next();
        continue;
      }
      this.#push(cut.shown, cut.blocks);
      this.#carried = cut.carried;
      rest = cut.rest;
      if (rest !== '') this.#next();
      else if (isGrowing)
        this.#growing = cut.shown.slice(0, Math.max(0, cut.shown.length - openEnd)).replace(/^\n+/, '');
    }
  }

  card(card: Card): void {
    this.#closeFence();
    const bytes = cardBytes(card);
    if (this.#part.length > 0 && (this.#bytes + bytes > SLACK.messageBytes || this.#blocks >= SLACK.messageBlocks)) {
      this.#next();
    }
    if (this.#full) return;
    this.#growing = undefined;
    this.#part.push({ kind: 'card', card });
    this.#bytes += bytes;
    this.#blocks += 1;
  }

  end(): readonly ReplyPart[] {
    const isCut = this.#full;
    const shown = this.#parts.slice(0, SLACK.replyMessages).filter((pieces) => pieces.length > 0);
    return shown.map((pieces, index) => {
      const isLast = index === shown.length - 1;
      if (isLast && isCut) return { pieces: [...pieces, { kind: 'text', text: `_${TOO_LONG}_` }], settled: pieces };
      if (!isLast || this.#growing === undefined) return { pieces, settled: pieces };
      const before = pieces.slice(0, -1);
      return { pieces, settled: this.#growing === '' ? before : [...before, { kind: 'text', text: this.#growing }] };
    });
  }

  get #part(): Piece[] {
    return this.#parts.at(-1) ?? [];
  }

  get #full(): boolean {
    return this.#parts.length > SLACK.replyMessages;
  }

  #push(shown: string, blocks: number): void {
    const text = shown.replace(/^\n+/, '');
    this.#growing = undefined;
    this.#bytes += bytesOf(shown);
    this.#blocks += blocks;
    if (text.trim() !== '') this.#part.push({ kind: 'text', text });
  }

  #next(): void {
    this.#parts.push([]);
    this.#bytes = 0;
    this.#blocks = 0;
    this.#growing = undefined;
  }

  /** A card stands between: the code before it ends there, and goes on in a fence of its own. */
  #closeFence(): void {
    const last = this.#part.at(-1);
    if (this.#carried.fence === undefined || last?.kind !== 'text' || this.#part.length === 0) return;
    this.#part[this.#part.length - 1] = { kind: 'text', text: closed(last.text, this.#carried) };
  }
}

/** Characters at the end of a text that are not in its settled beginning. */
function unsettled(text: string, settled: string): number {
  let same = 0;
  while (same < settled.length && text[same] === settled[same]) same++;
  return text.length - same;
}
