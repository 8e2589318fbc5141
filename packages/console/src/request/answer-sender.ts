import { answerRequest } from '../api/client.ts';
import { Problem } from '../api/problem.ts';
import type { Given } from '../api/wire.ts';
import { whoAmI } from '../browser/who-am-i.ts';

const RETRY_FIRST_MS = 500;
const RETRY_MOST_MS = 8_000;

/**
 * Where an answer is on its way. `retrying`: the connection is lost, it is tried again. `taken`: durable, its entry is
 * not here yet. `refused`: nothing was decided, it can be given again. `late`: the request was settled before it came.
 */
export type Sending =
  | { readonly kind: 'idle' }
  | { readonly kind: 'sending' | 'retrying' | 'taken'; readonly given: Given }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'late'; readonly given: Given; readonly why: string };

/** Gives one request its answer: one at a time, however often it is clicked, and again until the server has it. */
export class AnswerSender {
  readonly #request: string;
  readonly #changed: (sending: Sending) => void;
  #sending: Sending = { kind: 'idle' };
  #failures = 0;
  #timer: number | undefined;
  /** Counts what was begun: the end of an earlier attempt says nothing about a later one. */
  #attempt = 0;

  constructor(request: string, changed: (sending: Sending) => void) {
    this.#request = request;
    this.#changed = changed;
  }

  send(given: Given): void {
    if (this.#sending.kind !== 'idle' && this.#sending.kind !== 'refused') return;
    this.#failures = 0;
    this.#set({ kind: 'sending', given });
    void this.#try(given);
  }

  /** Stops trying: the answer can be changed. One that has arrived all the same counts. */
  withdraw(): void {
    this.#attempt += 1;
    clearTimeout(this.#timer);
    this.#set({ kind: 'idle' });
  }

  close(): void {
    this.#attempt += 1;
    clearTimeout(this.#timer);
  }

  async #try(given: Given): Promise<void> {
    const attempt = ++this.#attempt;
    try {
      await answerRequest(this.#request, { ...given, actor: whoAmI() });
      if (attempt === this.#attempt) this.#set({ kind: 'taken', given });
    } catch (error) {
      if (attempt !== this.#attempt) return;
      if (!(error instanceof Problem) || error.passing) this.#retry(given);
      else if (error.code === 'already-settled') this.#set({ kind: 'late', given, why: error.message });
      else this.#set({ kind: 'refused', why: error.message });
    }
  }

  #retry(given: Given): void {
    this.#set({ kind: 'retrying', given });
    const waitMs = Math.min(RETRY_MOST_MS, RETRY_FIRST_MS * 2 ** this.#failures++);
    this.#timer = window.setTimeout(() => void this.#try(given), waitMs);
  }

  #set(sending: Sending): void {
    this.#sending = sending;
    this.#changed(sending);
  }
}
