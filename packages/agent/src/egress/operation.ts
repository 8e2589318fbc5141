import { type EgressCode, EgressRefused } from './egress-refused.ts';

/** A timer that is to run for longer runs out at once. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * One operation from its first lookup to the last byte of its body. It is in one phase at a time, each with its time;
 * when that is over, or the caller calls it off, `signal` aborts, and all that the operation holds hangs on `signal`.
 */
export class Operation {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #total: NodeJS.Timeout | undefined;
  #phase: NodeJS.Timeout | undefined;

  constructor(caller: AbortSignal | undefined, totalMs: number | undefined) {
    this.#caller = caller;
    if (totalMs !== undefined) this.#total = this.#after(totalMs, 'A2A_EGRESS_TOTAL_TIMEOUT');
    if (caller?.aborted === true) this.#callOff();
    else caller?.addEventListener('abort', this.#callOff, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Begins a phase, or the same anew, in place of the one before: past `ms` (`Infinity`: never) the operation ends with `code`. */
  enter(code: EgressCode, ms: number): void {
    clearTimeout(this.#phase);
    if (!this.signal.aborted && ms !== Number.POSITIVE_INFINITY) this.#phase = this.#after(ms, code);
  }

  /** Ends the phase, with none after it: what comes now has no time of its own. */
  leave(): void {
    clearTimeout(this.#phase);
  }

  /** Settles like `work`, or at once with the signal's reason. */
  race<T>(work: Promise<T>): Promise<T> {
    const { signal } = this;
    return new Promise((resolve, reject) => {
      const stop = () => reject(signal.reason);
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
      work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    });
  }

  /** Lets go of everything. Safe to repeat; the first reason stays. */
  end(reason?: unknown): void {
    clearTimeout(this.#phase);
    clearTimeout(this.#total);
    this.#caller?.removeEventListener('abort', this.#callOff);
    this.#controller.abort(reason);
  }

  readonly #callOff = (): void => this.end(this.#caller?.reason);

  #after(ms: number, code: EgressCode): NodeJS.Timeout {
    return setTimeout(() => this.end(new EgressRefused(code, 'timeout')), Math.min(ms, LONGEST_MS));
  }
}
