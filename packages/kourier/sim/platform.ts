import type { Place, PostRef } from '../src/ports/poster.ts';
import type { Prng } from './prng.ts';
import type { Setting } from './setting.ts';

/** A message of ours as the platform keeps it. */
export interface PlatformMessage {
  readonly ref: PostRef;
  readonly place: Place;
  readonly key: string;
  /** Its place among all messages. */
  readonly number: number;
  readonly postedAtMs: number;
  /** A look finds it from then on. */
  readonly foundFromMs: number;
  says: string;
  /** When its last text was asked for. */
  askedMs: number;
  deletedBy: 'us' | 'people' | undefined;
  /** Every text that it had, for a finding. */
  readonly said: string[];
}

export interface PlatformWatcher {
  /** Somebody deletes a message of ours. */
  deleted(message: PlatformMessage): void;
}

/** The platform's own memory: messages, what they say now, and what people delete. Nothing here crashes. */
export class Platform {
  readonly messages: PlatformMessage[] = [];
  watcher: PlatformWatcher | undefined;
  readonly #setting: Setting;
  readonly #chances: Prng;

  constructor(setting: Setting) {
    this.#setting = setting;
    this.#chances = setting.chances('platform');
  }

  post(place: Place, key: string, says: string): PostRef {
    const { scheduler, swarm, mark } = this.#setting;
    const ref = `m${this.messages.length + 1}`;
    const postedAtMs = scheduler.nowMs;
    if (this.messages.some((other) => other.key === key && !other.deletedBy)) mark('post-doubled');
    const foundFromMs = postedAtMs + this.#chances.between(0, swarm.platform?.lagMs ?? 0);
    const message: PlatformMessage = {
      ...{
        ref,
        place,
        key,
        says,
        askedMs: 0,
        number: this.messages.length,
        postedAtMs,
        foundFromMs,
        deletedBy: undefined,
        said: [says],
      },
    };
    this.messages.push(message);
    if (this.#chances.chance(swarm.platform?.deletes ?? 0)) {
      scheduler.after(this.#chances.between(0, 120_000), () => this.#deleteByPeople(message));
    }
    return ref;
  }

  edit(ref: PostRef, says: string, askedMs: number): boolean {
    const message = this.message(ref);
    if (!message || message.deletedBy) return false;
    if (askedMs < message.askedMs && says !== message.says) this.#setting.mark('edit-overtaken');
    message.askedMs = askedMs;
    message.says = says;
    message.said.push(says);
    return true;
  }

  remove(ref: PostRef): boolean {
    const message = this.message(ref);
    if (!message || message.deletedBy) return false;
    message.deletedBy = 'us';
    return true;
  }

  find(place: Place, key: string, sinceMs: number): readonly PostRef[] {
    const { nowMs } = this.#setting.scheduler;
    const found = this.messages.filter(
      (it) =>
        it.place === place && it.key === key && !it.deletedBy && it.postedAtMs >= sinceMs && it.foundFromMs <= nowMs,
    );
    return found.map(({ ref }) => ref);
  }

  message(ref: PostRef): PlatformMessage | undefined {
    return this.messages.find((message) => message.ref === ref);
  }

  #deleteByPeople(message: PlatformMessage): void {
    if (message.deletedBy) return;
    this.#setting.mark('post-deleted');
    this.#setting.trace.note('people', `delete ${message.ref} ${message.key}`);
    this.watcher?.deleted(message);
    message.deletedBy = 'people';
  }
}
