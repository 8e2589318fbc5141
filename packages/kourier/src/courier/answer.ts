import { LIMITS } from '../core/limits.ts';
import { Reply } from '../core/reply/reply.ts';
import type { Step } from '../core/reply/step.ts';
import { bounded } from '../core/shown/bounded.ts';
import { redact } from '../core/shown/redact.ts';
import type { AnswerEntry, Entry, StepEntry } from '../core/thread/entry.ts';
import type { EntryId, TurnId } from '../core/thread/ids.ts';

/**
 * One turn's reply as entries of its timeline: pieces of the answer, split where a step began, and the steps. Their ids
 * follow from the turn and their number, so that a courier that takes the turn up goes on in the same entries.
 */
export class Answer {
  readonly reply = new Reply();
  readonly turn: TurnId;
  /** A commit of what is new has been asked for. */
  asked = false;
  /** As committed last. */
  readonly #written = new Map<EntryId, Entry>();
  /** Steps of an earlier courier that this one has not met in the reply yet. */
  readonly #earlier: StepEntry[];
  readonly #steps = new Map<Step, { readonly id: EntryId; version: number }>();
  #earlierText: string | undefined;
  #nextStep: number;
  #stepsWritten = 0;

  constructor(turn: TurnId, written: readonly Entry[]) {
    this.turn = turn;
    this.committed(written);
    this.#earlier = [...this.#written.values()].filter((entry) => entry.kind === 'step');
    this.#nextStep = this.#earlier.length;
    this.#earlierText = this.#written.size === 0 ? undefined : this.#writtenPieces().join('');
  }

  /** There are entries that only a commit can give their place. */
  get hasNew(): boolean {
    const { steps, length } = this.reply;
    if (steps.version !== this.#stepsWritten) return true;
    const stands = this.#earlierText !== undefined && steps.marks.length === 0;
    return !stands && length > (steps.marks.at(-1)?.cut ?? 0) && !this.#streams(this.#pieceId(steps.marks.length));
  }

  /** The last piece as it is now, once a commit has given it its place. */
  live(): AnswerEntry | undefined {
    const pieces = this.#pieces();
    const id = this.#pieceId(pieces.length - 1);
    if (!this.#streams(id)) return undefined;
    return { kind: 'answer', id, turnId: this.turn, text: pieces.at(-1) ?? '', streaming: true };
  }

  /** A piece that an earlier courier has ended begins again with a commit: live text never stands over an end. */
  #streams(id: EntryId): boolean {
    const entry = this.#written.get(id);
    return entry?.kind === 'answer' && entry.streaming;
  }

  /**
   * What a commit has to write, in the order in which it stands: entries that are new, or say something else than before.
   * While a person is waited for, nothing streams.
   */
  changes(streams = true): Entry[] {
    return this.#changes(streams);
  }

  /** The same for the last time: nothing streams or runs on. */
  finish(completed: boolean): Entry[] {
    this.reply.steps.finish(completed, this.reply.length);
    const changed = this.#changes(false);
    const state = completed ? ('done' as const) : ('failed' as const);
    const unmet = this.#earlier.filter((entry) => entry.state === 'running');
    return [...changed, ...unmet.map((entry) => ({ ...entry, state }))];
  }

  committed(entries: readonly Entry[]): void {
    for (const entry of entries) {
      if ((entry.kind === 'answer' || entry.kind === 'step') && entry.turnId === this.turn)
        this.#written.set(entry.id, entry);
    }
    this.asked = false;
  }

  #changes(streams: boolean): Entry[] {
    const { steps } = this.reply;
    const pieces = this.#pieces();
    const changed: Entry[] = [];
    for (const [index, text] of pieces.entries()) {
      changed.push(...this.#piece(index, text, streams && index === pieces.length - 1));
      const step = steps.marks[index]?.step;
      if (step) changed.push(...this.#step(step));
    }
    const last = this.#lastWritten();
    for (let index = pieces.length; index <= last; index += 1) {
      changed.push(...this.#piece(index, '', false));
    }
    this.#stepsWritten = steps.version;
    return changed;
  }

  /** Until the agent has said something, what an earlier courier showed stands. */
  #pieces(): string[] {
    const { reply } = this;
    const { marks } = reply.steps;
    const text = this.#newest(reply.text());
    if (marks.length === 0 && text === this.#earlierText) return this.#writtenPieces();
    const pieces: string[] = [];
    let from = 0;
    for (const { cut } of marks) {
      const to = Math.max(from, Math.min(cut, text.length));
      pieces.push(text.slice(from, to));
      from = to;
    }
    return [...pieces, text.slice(from)];
  }

  /** What an earlier courier showed stands until the agent says more: its store may be behind with it (rule R13). */
  #newest(said: string): string {
    const earlier = this.#earlierText;
    if (earlier?.startsWith(said) && !this.reply.settled?.full) return earlier;
    this.#earlierText = undefined;
    return said;
  }

  #writtenPieces(): string[] {
    const pieces = Array.from({ length: Math.max(1, this.#lastWritten() + 1) }, () => '');
    return pieces.map((_, index) => {
      const entry = this.#written.get(this.#pieceId(index));
      return entry?.kind === 'answer' ? entry.text : '';
    });
  }

  /** The highest number of a piece: those between may be missing, because nothing was said there. */
  #lastWritten(): number {
    const stem = `${this.#pieceId(0)}.`;
    let last = -1;
    for (const { kind, id } of this.#written.values()) {
      if (kind === 'answer') last = Math.max(last, id.startsWith(stem) ? Number(id.slice(stem.length)) : 0);
    }
    return last;
  }

  #piece(index: number, text: string, streaming: boolean): AnswerEntry[] {
    const id = this.#pieceId(index);
    const before = this.#written.get(id);
    const same = before?.kind === 'answer' ? before.text === text && before.streaming === streaming : text === '';
    return same ? [] : [{ kind: 'answer', id, turnId: this.turn, text, streaming }];
  }

  #step(step: Step): StepEntry[] {
    const known = this.#steps.get(step);
    if (known?.version === step.version) return [];
    const { callId, state } = step;
    const name = String(bounded(step.name, { characters: LIMITS.shownNameCharacters }));
    const args = step.args === undefined ? {} : { args: bounded(redact(step.args)) };
    const result = step.result === undefined ? {} : { result: bounded(redact(step.result)) };
    const id = known?.id ?? this.#stepId({ callId, name }, args);
    this.#steps.set(step, { id, version: step.version });
    return [
      {
        kind: 'step',
        id,
        turnId: this.turn,
        ...(callId === undefined ? {} : { callId }),
        name,
        ...args,
        state,
        ...result,
      },
    ];
  }

  /** A call that an earlier courier has shown keeps its entry: the same call id, or without one the same words. */
  #stepId({ callId, name }: Pick<Step, 'callId' | 'name'>, { args }: { readonly args?: unknown }): EntryId {
    const says = (entry: StepEntry) => entry.name === name && JSON.stringify(entry.args) === JSON.stringify(args);
    const at = this.#earlier.findIndex((entry) => entry.callId === callId && (callId !== undefined || says(entry)));
    const [entry] = at < 0 ? [] : this.#earlier.splice(at, 1);
    if (entry) return entry.id;
    this.#nextStep += 1;
    return `${this.turn}.step.${this.#nextStep}` as EntryId;
  }

  #pieceId(index: number): EntryId {
    return `${this.turn}.answer${index === 0 ? '' : `.${index}`}` as EntryId;
  }
}
