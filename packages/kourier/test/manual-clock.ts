import type { Clock } from '../src/ports/clock.ts';

/** A clock that moves when it is told to. */
export class ManualClock implements Clock {
  #now: number;
  readonly #waiting = new Set<{ readonly at: number; readonly wake: () => void }>();

  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  wakeAt(at: number, wake: () => void): () => void {
    const waits = { at, wake };
    this.#waiting.add(waits);
    return () => void this.#waiting.delete(waits);
  }

  /** Waits that were not called off. */
  get waits(): number {
    return this.#waiting.size;
  }

  pass(ms: number): void {
    this.#now += ms;
    for (const waits of [...this.#waiting].filter(({ at }) => at <= this.#now)) {
      this.#waiting.delete(waits);
      waits.wake();
    }
  }
}
