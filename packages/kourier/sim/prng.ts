/**
 * A stream of chance. Each concern has its own, forked by label from the seed and not from the draws before it, so that
 * a new draw in one place does not reshuffle the rest of a story.
 */
export class Prng {
  readonly #seed: number;
  #state: number;

  constructor(seed: number) {
    this.#seed = seed >>> 0;
    this.#state = this.#seed;
  }

  fork(label: string): Prng {
    let hash = this.#seed ^ 0x9e3779b9;
    for (let at = 0; at < label.length; at++) hash = Math.imul(hash ^ label.charCodeAt(at), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
    return new Prng(hash ^ (hash >>> 13));
  }

  /** 32 bits (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return (bits ^ (bits >>> 14)) >>> 0;
  }

  /** In [0, 1). */
  fraction(): number {
    return this.next() / 4_294_967_296;
  }

  chance(probability: number): boolean {
    return probability > 0 && this.fraction() < probability;
  }

  /** A whole number from `least` to `most`, both possible. */
  between(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  one<Value>(values: readonly [Value, ...Value[]]): Value {
    return values[Math.floor(this.fraction() * values.length)] ?? values[0];
  }
}
