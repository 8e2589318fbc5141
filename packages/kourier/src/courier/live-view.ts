import type { Clock } from '../ports/clock.ts';

/** A whole entry is shown each time, so a longer text is shown less often: at most a million characters a second. */
const CHARACTERS_PER_MS = 1_000;

/**
 * Paces the live text of one answer: the first chunk shows at once, later ones as they come while the text is short,
 * and at intervals that grow with it, so that an answer of any length costs what it brings.
 */
export class LiveView {
  readonly #clock: Clock;
  readonly #show: () => void;
  #shownAtMs = Number.NEGATIVE_INFINITY;
  #callOff: (() => void) | undefined;

  constructor(clock: Clock, show: () => void) {
    this.#clock = clock;
    this.#show = show;
  }

  changed(characters: number): void {
    if (this.#callOff) return;
    const dueMs = this.#shownAtMs + characters / CHARACTERS_PER_MS;
    if (characters < CHARACTERS_PER_MS || dueMs <= this.#clock.now()) return this.#showNow();
    this.#callOff = this.#clock.wakeAt(dueMs, () => {
      this.#callOff = undefined;
      this.#showNow();
    });
  }

  /** What is committed is shown by the commit. */
  stop(): void {
    this.#callOff?.();
    this.#callOff = undefined;
  }

  #showNow(): void {
    this.#shownAtMs = this.#clock.now();
    this.#show();
  }
}
