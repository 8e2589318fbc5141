import { Reply } from '../core/reply/reply.ts';
import type { AnswerEntry } from '../core/thread/entry.ts';
import type { EntryId, TurnId } from '../core/thread/ids.ts';

/** The entry's id follows from the turn, so that a courier that takes the turn up goes on in the same entry. */
export const answerId = (turn: TurnId): EntryId => `${turn}.answer` as EntryId;

/** One turn's reply and its entry in the timeline. */
export class Answer {
  readonly reply = new Reply();
  readonly turn: TurnId;
  /** What an earlier courier had shown; it stands until the agent has said more. */
  readonly #earlier: string | undefined;
  /** A commit has given the entry its place. */
  begun: boolean;
  /** That commit has been asked for. */
  beginning = false;

  constructor(turn: TurnId, earlier: string | undefined) {
    this.turn = turn;
    this.#earlier = earlier;
    this.begun = earlier !== undefined;
  }

  /** `undefined` while there is nothing to show. */
  entry(streaming: boolean): AnswerEntry | undefined {
    const { reply } = this;
    const text = reply.characters === 0 && this.#earlier !== undefined && !reply.ended ? this.#earlier : reply.text();
    if (text === '' && !this.begun) return undefined;
    return { kind: 'answer', id: answerId(this.turn), turnId: this.turn, text, streaming };
  }
}
