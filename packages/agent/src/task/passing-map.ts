/**
 * A map of things that come and go all the time, in the order in which they came.
 *
 * V8's Map and Set leave a table that they have outgrown linked to the one that took its place. Once such a table is in the
 * old generation, each later one, and whatever ever stood in it, outlives all collections of the young generation, though
 * nobody can reach it. Here the tables hold ids and numbers, which are small, and the things stand in one list beside them.
 */
export class PassingMap<T> {
  readonly #places = new Map<string, number>();
  readonly #things: (T | undefined)[] = [];
  /** Places in the list that nothing stands in. */
  readonly #free: number[] = [];

  get size(): number {
    return this.#places.size;
  }

  get(id: string): T | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#things[place];
  }

  set(id: string, thing: T): void {
    const place = this.#places.get(id) ?? this.#free.pop() ?? this.#things.length;
    this.#things[place] = thing;
    this.#places.set(id, place);
  }

  delete(id: string): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    this.#things[place] = undefined;
    this.#free.push(place);
    this.#places.delete(id);
  }

  *values(): Iterable<T> {
    for (const place of this.#places.values()) yield this.#things[place] as T;
  }
}
