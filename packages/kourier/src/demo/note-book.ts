const THREADS = 1_000;

/** How many notes each thread has, for the threads that wrote last. */
export class NoteBook {
  readonly #counts = new Map<string, number>();

  /** Takes a note and returns how many the thread has now. The words themselves are in the thread. */
  add(contextId: string): number {
    const count = (this.#counts.get(contextId) ?? 0) + 1;
    this.#counts.delete(contextId);
    this.#counts.set(contextId, count);
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > THREADS && oldest !== undefined) this.#counts.delete(oldest);
    return count;
  }
}
