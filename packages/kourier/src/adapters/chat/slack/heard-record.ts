import type { EntryId, ThreadId } from '../../../core/thread/ids.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Ids } from '../../../ports/ids.ts';
import type { Store } from '../../../ports/store.ts';
import { HEARING } from './hearing-limits.ts';
import { isJson, type Json } from './json.ts';
import { Recent } from './recent.ts';
import { readPlace } from './slack-place.ts';

export interface HeardRecordOptions {
  readonly platform: string;
  readonly store: Pick<Store, 'open' | 'delivery' | 'deliver'>;
  readonly ids: Pick<Ids, 'thread' | 'entry'>;
  readonly clock: Clock;
}

/**
 * Up to when everything was heard, and where threads are: what a later process needs to make up for the time in which
 * none ran. It is kept as the delivery of a thread that nobody sees, of a platform of its own: a store keeps threads and
 * nothing else. What it lags behind costs a few messages that are read again, and are known.
 */
export class HeardRecord {
  readonly #options: HeardRecordOptions;
  readonly #places = new Recent<number>(HEARING.threads);
  #thread: ThreadId | undefined;
  #heardMs: number | undefined;

  constructor(options: HeardRecordOptions) {
    this.#options = options;
  }

  /** Absent: nothing was ever heard here. */
  get heardMs(): number | undefined {
    return this.#heardMs;
  }

  async load(): Promise<void> {
    const { store, platform, ids, clock } = this.#options;
    const hidden = `${platform}:heard`;
    const message = { id: ids.entry() as EntryId, text: 'What was heard.', atMs: clock.now() };
    const thread = { id: ids.thread(), binding: hidden, platform: hidden };
    const opened = await store.open(thread, message, { key: hidden, place: hidden });
    if (opened.kind === 'full') throw new Error('The record of what was heard cannot be kept.');
    this.#thread = opened.thread;
    const state = (await store.delivery(opened.thread))?.state;
    if (isJson(state)) this.#read(state);
  }

  note(place: string): void {
    this.#places.set(place, this.#options.clock.now());
  }

  heardUntil(ms: number): void {
    this.#heardMs = ms;
  }

  /** Places of threads that were used since then. */
  placesSince(ms: number): readonly string[] {
    return this.#places.entries().flatMap(([place, usedMs]) => (usedMs >= ms ? [place] : []));
  }

  async save(): Promise<void> {
    if (this.#thread === undefined) return;
    const state = { heardMs: this.#heardMs ?? null, places: this.#places.entries() };
    await this.#options.store.deliver(this.#thread, { revision: 1, state });
  }

  #read({ heardMs, places }: Json): void {
    if (typeof heardMs === 'number') this.#heardMs = heardMs;
    if (!Array.isArray(places)) return;
    for (const each of places) {
      const [place, usedMs] = Array.isArray(each) ? (each as unknown[]) : [];
      if (typeof place !== 'string' || typeof usedMs !== 'number' || readPlace(place) === undefined) continue;
      this.#places.add(place, usedMs);
    }
  }
}
