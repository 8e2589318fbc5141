import type { ServerResponse } from 'node:http';
import type { ThreadId } from '../../core/thread/ids.ts';
import type { ThreadUpdate } from '../../ports/chat.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Store, Timeline } from '../../ports/store.ts';
import type { ThreadFeed } from '../../ports/thread-feed.ts';
import { EventStream, type StreamLimits } from './event-stream.ts';
import { FirstView } from './first-view.ts';

export interface ReadingOptions {
  readonly store: Pick<Store, 'changes'>;
  readonly feed: ThreadFeed;
  readonly clock: Clock;
  readonly limits: StreamLimits;
}

/**
 * One reader of one thread. It subscribes first and reads the store then; and when an update tells of a revision that
 * it has not seen the one before of (a message taken by another process, or before this one held the thread), it reads
 * the store again, so that the stream has no gap even where the updates have one.
 */
export class Reading {
  readonly #options: ReadingOptions;
  readonly #thread: ThreadId;
  readonly #outgoing: ServerResponse;
  readonly #unsubscribe: () => void;
  /** While the store is read, what comes meanwhile. */
  #gathering: FirstView | undefined = new FirstView();
  #stream: EventStream | undefined;
  #seen: number;

  constructor(options: ReadingOptions, thread: ThreadId, outgoing: ServerResponse, after: number) {
    this.#options = options;
    this.#thread = thread;
    this.#outgoing = outgoing;
    this.#seen = after;
    this.#unsubscribe = options.feed.subscribe(thread, (update) => this.#take(update));
  }

  /** `undefined` when there is no such thread; nothing has been written then. Rejects as the store does. */
  async read(attempts = 3): Promise<Timeline | undefined> {
    const timeline = await this.#options.store.changes(this.#thread, this.#seen);
    if (timeline === undefined) return undefined;
    if (timeline.revision < this.#seen) {
      // A revision that the thread has not reached yet is from another store: the reader gets everything.
      this.#seen = 0;
      return this.read(attempts);
    }
    // The store is ahead of what was shown, so a second read reaches what came during the first.
    const hasGap = (this.#gathering?.newest ?? 0) > timeline.revision + 1;
    return hasGap && attempts > 1 ? this.read(attempts - 1) : timeline;
  }

  /** Sends what was read and came meanwhile, and from then on what comes. */
  begin(timeline: Timeline): void {
    const { clock, limits, feed } = this.#options;
    this.#stream ??= new EventStream(this.#outgoing, this.#seen, clock, limits);
    const view = (this.#gathering ?? new FirstView()).assemble(timeline, feed.live(this.#thread));
    this.#gathering = undefined;
    this.#seen = view.revision;
    this.#stream.send({ ...view, live: false });
  }

  heartbeat(): void {
    this.#stream?.heartbeat();
  }

  end(): void {
    this.#stream?.end();
  }

  leave(): void {
    this.#unsubscribe();
  }

  #take(update: ThreadUpdate): void {
    if (this.#gathering) {
      this.#gathering.add(update);
    } else if (update.revision > this.#seen + (update.live ? 0 : 1)) {
      this.#catchUp(update);
    } else {
      this.#seen = Math.max(this.#seen, update.revision);
      this.#stream?.send(update);
    }
  }

  #catchUp(update: ThreadUpdate): void {
    this.#gathering = new FirstView();
    this.#gathering.add(update);
    // A reader that cannot be told is closed: it comes back with the last revision that it has.
    const lost = (): void => void this.#outgoing.destroy();
    this.read().then((timeline) => {
      if (timeline === undefined) lost();
      else if (!this.#outgoing.destroyed) this.begin(timeline);
    }, lost);
  }
}
