import type { Clock } from '../../src/ports/clock.ts';

interface Wait {
  readonly atMs: number;
  readonly wake: () => void;
}

/** Time that stands still until a test moves it; what is due happens in order, each at its own time. */
export class TestClock implements Clock {
  #nowMs: number;
  readonly #waits = new Set<Wait>();

  constructor(startMs = 1_700_000_000_000) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  wakeAt(atMs: number, wake: () => void): () => void {
    const wait = { atMs, wake };
    this.#waits.add(wait);
    return () => void this.#waits.delete(wait);
  }

  /** When the next waits are due, earliest first. */
  get deadlines(): readonly number[] {
    return [...this.#waits].map(({ atMs }) => atMs).sort((a, b) => a - b);
  }

  /** Also wakes what is set meanwhile and falls due. */
  advance(byMs: number): void {
    const untilMs = this.#nowMs + byMs;
    for (let next = this.#next(untilMs); next !== undefined; next = this.#next(untilMs)) {
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      this.#waits.delete(next);
      next.wake();
    }
    this.#nowMs = untilMs;
  }

  #next(untilMs: number): Wait | undefined {
    let first: Wait | undefined;
    for (const wait of this.#waits) {
      if (wait.atMs <= untilMs && (first === undefined || wait.atMs < first.atMs)) first = wait;
    }
    return first;
  }
}
