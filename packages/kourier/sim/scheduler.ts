import type { Prng } from './prng.ts';

interface Scheduled {
  readonly atMs: number;
  readonly tie: number;
  readonly run: () => void;
  off: boolean;
}

/**
 * All that happens, in one order: by time, and what is due at one time by a seeded tie. A step runs one thing and then
 * everything that follows from it by promises alone.
 */
export class Scheduler {
  readonly #ties: Prng;
  readonly #heap: Scheduled[] = [];
  #nowMs = 0;
  steps = 0;

  constructor(ties: Prng) {
    this.#ties = ties;
  }

  /** Milliseconds since the simulation began: the true time, which no courier's clock need show. */
  get nowMs(): number {
    return this.#nowMs;
  }

  at(atMs: number, run: () => void): () => void {
    const scheduled: Scheduled = { atMs: Math.max(atMs, this.#nowMs), tie: this.#ties.next(), run, off: false };
    this.#push(scheduled);
    return () => {
      scheduled.off = true;
    };
  }

  after(delayMs: number, run: () => void): () => void {
    return this.at(this.#nowMs + delayMs, run);
  }

  /** `false`: nothing is left to happen. */
  async step(): Promise<boolean> {
    const next = this.#pop();
    if (!next) return false;
    this.#nowMs = next.atMs;
    this.steps++;
    next.run();
    await drained();
    return true;
  }

  #pop(): Scheduled | undefined {
    for (;;) {
      const first = this.#heap[0];
      const last = this.#heap.pop();
      if (!first || !last) return undefined;
      if (this.#heap.length > 0) this.#sink(last);
      if (!first.off) return first;
    }
  }

  #push(scheduled: Scheduled): void {
    const heap = this.#heap;
    let at = heap.push(scheduled) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above];
      if (!parent || before(parent, scheduled)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = scheduled;
  }

  #sink(scheduled: Scheduled): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      let lesser = heap[child];
      if (!lesser) break;
      const right = heap[child + 1];
      if (right && before(right, lesser)) {
        child++;
        lesser = right;
      }
      if (before(scheduled, lesser)) break;
      heap[at] = lesser;
      at = child;
    }
    heap[at] = scheduled;
  }
}

const before = (one: Scheduled, other: Scheduled): boolean =>
  one.atMs < other.atMs || (one.atMs === other.atMs && one.tie < other.tie);

/** A macrotask boundary: every promise that can settle without something of the heap has settled. */
const drained = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
