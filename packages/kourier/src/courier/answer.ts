import { Reply } from '../core/reply/reply.ts';
import type { Step } from '../core/reply/step.ts';
import type { AnswerEntry, Entry } from '../core/thread/entry.ts';
import type { EntryId, TurnId } from '../core/thread/ids.ts';
import type { Turn } from '../core/turn/turn.ts';
import { StepEntries } from './step-entries.ts';

/** Where the answer is split, in characters, and the step that stands there. */
interface Split {
  readonly cut: number;
  readonly step?: Step;
}

/**
 * One turn's reply as entries of its timeline: pieces of the answer, split where a step began or a request stood, and
 * the steps. Together the pieces are the answer, always. Their ids follow from the turn and their number, so that a
 * courier that takes the turn up goes on in the same entries.
 */
export class Answer {
  readonly reply: Reply;
  readonly turn: TurnId;
  /** A commit of what is new has been asked for. */
  asked = false;
  /** The pieces as committed last. */
  readonly #written = new Map<EntryId, AnswerEntry>();
  readonly #steps: StepEntries;
  /** What an earlier courier split stays split there; a step of its own that the reply brings again splits nothing. */
  readonly #splits: Split[];
  readonly #met: Step[] = [];
  #marksMet = 0;
  #earlierText: string | undefined;
  #stepsWritten = 0;

  /** `written`: the thread's timeline as far as it is known. */
  constructor({ id, taskId }: Pick<Turn, 'id' | 'taskId'>, written: readonly Entry[]) {
    this.turn = id;
    this.reply = new Reply(taskId);
    const own = written.filter((entry) => 'turnId' in entry && entry.turnId === id);
    this.#steps = new StepEntries(id, own);
    this.committed(own);
    const pieces = this.#writtenPieces();
    this.#splits = splitsOf(pieces, own);
    if (this.#written.size > 0) this.#earlierText = pieces.join('');
    if (own.some((entry) => entry.kind === 'request' && entry.answer)) this.reply.steps.goOnAfterAnswer();
  }

  /** There are entries that only a commit can give their place. */
  get hasNew(): boolean {
    this.#meetMarks();
    const { steps, length } = this.reply;
    if (steps.version !== this.#stepsWritten) return true;
    const { length: last } = this.#splits;
    return length > (this.#splits[last - 1]?.cut ?? 0) && !this.#written.has(this.#pieceId(last));
  }

  /** The last piece as it is now, once a commit has given it its place. */
  live(): AnswerEntry | undefined {
    const pieces = this.#pieces();
    const id = this.#pieceId(pieces.length - 1);
    if (!this.#written.has(id)) return undefined;
    return { kind: 'answer', id, turnId: this.turn, text: pieces.at(-1) ?? '', streaming: true };
  }

  /**
   * What a commit has to write, in the order in which it stands: entries that are new, or say something else than before.
   * While a person is waited for, nothing streams.
   */
  changes(streams = true): Entry[] {
    const pieces = this.#pieces();
    const changed: Entry[] = this.#met.flatMap((step) => this.#steps.changed(step));
    for (const [index, text] of pieces.entries()) {
      changed.push(...this.#piece(index, text, streams && index === pieces.length - 1));
      const step = this.#splits[index]?.step;
      if (step) changed.push(...this.#steps.changed(step));
    }
    this.#stepsWritten = this.reply.steps.version;
    return changed;
  }

  /** The same for the last time: nothing streams or runs on. */
  finish(completed: boolean): Entry[] {
    this.reply.steps.finish(completed, this.reply.length);
    return [...this.changes(false), ...this.#steps.unmet(completed ? 'done' : 'failed')];
  }

  committed(entries: readonly Entry[]): void {
    for (const entry of entries) {
      if (entry.kind === 'answer' && entry.turnId === this.turn) this.#written.set(entry.id, entry);
    }
    this.asked = false;
  }

  #pieces(): string[] {
    this.#meetMarks();
    const text = this.#newest(this.reply.text());
    const pieces: string[] = [];
    let from = 0;
    for (const { cut } of this.#splits) {
      const to = Math.max(from, Math.min(cut, text.length));
      pieces.push(text.slice(from, to));
      from = to;
    }
    return [...pieces, text.slice(from)];
  }

  #meetMarks(): void {
    const { marks } = this.reply.steps;
    for (; this.#marksMet < marks.length; this.#marksMet += 1) {
      const { step, cut = 0 } = marks[this.#marksMet] ?? {};
      if (step && this.#steps.meet(step)) this.#met.push(step);
      else this.#splits.push({ cut, ...(step && { step }) });
    }
  }

  /** What an earlier courier showed stands until the agent says more: its store may be behind with it (rule R13). */
  #newest(said: string): string {
    const earlier = this.#earlierText;
    if (earlier?.startsWith(said) && !this.reply.settled?.full) return earlier;
    this.#earlierText = undefined;
    return said;
  }

  /** An empty piece may be missing among them. */
  #writtenPieces(): string[] {
    const pieces: string[] = [];
    for (let left = this.#written.size; left > 0; ) {
      const entry = this.#written.get(this.#pieceId(pieces.length));
      if (entry) left -= 1;
      pieces.push(entry?.text ?? '');
    }
    return pieces;
  }

  #piece(index: number, text: string, streaming: boolean): AnswerEntry[] {
    const id = this.#pieceId(index);
    const before = this.#written.get(id);
    const same = before ? before.text === text && before.streaming === streaming : text === '';
    return same ? [] : [{ kind: 'answer', id, turnId: this.turn, text, streaming }];
  }

  #pieceId(index: number): EntryId {
    return `${this.turn}.answer${index === 0 ? '' : `.${index}`}` as EntryId;
  }
}

/** Behind each piece but the last, and behind that too when something else stands there. */
function splitsOf(pieces: readonly string[], own: readonly Entry[]): Split[] {
  const since = own.slice(own.findLastIndex(({ kind }) => kind === 'answer') + 1);
  const isBehind = since.some(({ kind }) => kind === 'step' || kind === 'request');
  const splits: Split[] = [];
  let cut = 0;
  for (const piece of isBehind ? pieces : pieces.slice(0, -1)) {
    cut += piece.length;
    splits.push({ cut });
  }
  return splits;
}
