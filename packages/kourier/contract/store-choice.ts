import type { EntryId, ThreadId } from '../src/core/thread/ids.ts';

/** Seeded chance (mulberry32) over small sets of names, so that they meet. */
export class Choice {
  #state: number;
  #messages = 0;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296) * limit);
  }

  chance(probability: number): boolean {
    return this.below(1_000_000) < probability * 1_000_000;
  }

  one<Value>(values: readonly [Value, ...Value[]]): Value {
    return values[this.below(values.length)] ?? values[0];
  }

  maybe<Name extends string>(name: Name, names: number): { readonly [key in Name]?: string } {
    const value = { [name]: `${name}-${this.below(names)}` } as { readonly [key in Name]: string };
    return this.chance(0.3) ? value : {};
  }

  /** `thread-0` is never opened. */
  thread(): ThreadId {
    return `thread-${this.below(13)}` as ThreadId;
  }

  newThread(): ThreadId {
    return `thread-${this.below(12) + 1}` as ThreadId;
  }

  binding(): string {
    return this.one(['ops', 'research']);
  }

  platform(): string {
    return this.one(['web', 'web', 'chat']);
  }

  /** `''` is none. */
  place() {
    return { binding: this.binding(), place: this.one(['', '', 'p', 'q']) };
  }

  /** One that a thread may have been opened at, or a further one. */
  furtherPlace(): string {
    return this.one(['p', 'q', `place-${this.below(40)}`]);
  }

  /** The same in several threads. */
  entry(): EntryId {
    return `entry-${this.below(60)}` as EntryId;
  }

  owner(): string {
    return this.one(['a', 'a', 'b']);
  }

  /** Mostly a new one. */
  message(): EntryId {
    return this.chance(0.1) ? this.knownMessage() : (`message-${++this.#messages}` as EntryId);
  }

  everyMessage(): readonly EntryId[] {
    return Array.from({ length: this.#messages }, (_, index) => `message-${index + 1}` as EntryId);
  }

  /** One of the last. */
  knownMessage(): EntryId {
    return `message-${Math.max(0, this.#messages - this.below(400))}` as EntryId;
  }
}
