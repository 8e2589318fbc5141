const KEPT = 50;

/** The story of a run: hashed whole, its end kept for a failure, all of it told when someone listens. */
export class Trace {
  readonly #tell: ((line: string) => void) | undefined;
  readonly #now: () => number;
  readonly #last: string[] = [];
  #count = 0;
  #high = 0x811c9dc5;
  #low = 0x01234567;

  constructor(now: () => number, tell?: (line: string) => void) {
    this.#now = now;
    this.#tell = tell;
  }

  note(who: string, what: string): void {
    const line = `${this.#now()} ${who}: ${what}`;
    for (let at = 0; at < line.length; at++) {
      const code = line.charCodeAt(at);
      this.#high = Math.imul(this.#high ^ code, 0x01000193);
      this.#low = Math.imul(this.#low ^ code, 0x5bd1e995) ^ (this.#low >>> 13);
    }
    this.#last[this.#count++ % KEPT] = line;
    this.#tell?.(line);
  }

  get hash(): string {
    return [this.#high, this.#low].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
  }

  /** The last steps, oldest first. */
  last(): readonly string[] {
    const at = this.#count % KEPT;
    return this.#count <= KEPT ? this.#last.slice() : [...this.#last.slice(at), ...this.#last.slice(0, at)];
  }
}
