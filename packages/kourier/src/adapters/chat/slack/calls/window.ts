import type { Rate } from './rates.ts';

/** So many in any stretch of so long, and none while it is held. */
export class Window {
  readonly #rate: Rate;
  #taken: number[] = [];
  #heldUntilMs = 0;

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  holdUntil(atMs: number): void {
    this.#heldUntilMs = Math.max(this.#heldUntilMs, atMs);
  }

  /** When the next one may go, which is now or later. `share`: of the whole rate that it may use. */
  freeAt(nowMs: number, share: number): number {
    const { max, withinMs } = this.#rate;
    // The clock may have been set back: what lies ahead of it says nothing.
    this.#taken = this.#taken.filter((atMs) => atMs > nowMs - withinMs && atMs <= nowMs);
    const first = this.#taken[this.#taken.length - Math.max(1, Math.floor(max * share))];
    return Math.max(nowMs, this.#heldUntilMs, first === undefined ? nowMs : first + withinMs);
  }

  take(nowMs: number): void {
    this.#taken.push(nowMs);
  }
}
