/** The last few of something: past `most` the oldest is forgotten. */
export class Recent<Value> {
  readonly #most: number;
  readonly #values = new Map<string, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= this.#most) break;
      this.#values.delete(oldest);
    }
  }

  /** `false`: it is there already, and stays as it was. */
  add(key: string, value: Value): boolean {
    if (this.#values.has(key)) return false;
    this.set(key, value);
    return true;
  }

  delete(key: string): void {
    this.#values.delete(key);
  }

  entries(): readonly (readonly [string, Value])[] {
    return [...this.#values];
  }
}
