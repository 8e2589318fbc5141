import type { ServerResponse } from 'node:http';
import type { ThreadId } from '../../core/thread/ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Store } from '../../ports/store.ts';
import type { ThreadFeed } from '../../ports/thread-feed.ts';
import { EventStream, type StreamLimits } from './event-stream.ts';
import { FirstView } from './first-view.ts';

export interface EventStreamsOptions {
  readonly store: Pick<Store, 'changes'>;
  readonly feed: ThreadFeed;
  readonly clock: Clock;
  readonly limits: StreamLimits & { readonly eventStreams: number; readonly heartbeatMs: number };
}

export type Opened = 'open' | 'missing' | 'too-many' | 'stopping';

/**
 * Every open event stream of this process. One heartbeat for all of them; a stream whose reader left is gone with its
 * connection, whether or not its thread ever changes again (case C179).
 */
export class EventStreams {
  readonly #options: EventStreamsOptions;
  readonly #open = new Map<ServerResponse, EventStream | undefined>();
  #callOffHeartbeat: (() => void) | undefined;
  #stopping = false;

  constructor(options: EventStreamsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Nothing is written when the answer is not `open`. `after`: the revision that the reader has seen. */
  async open(outgoing: ServerResponse, thread: ThreadId, after: number): Promise<Opened> {
    const { store, feed, clock, limits } = this.#options;
    if (this.#stopping) return 'stopping';
    if (this.#open.size >= limits.eventStreams) return 'too-many';
    const first = new FirstView();
    let stream: EventStream | undefined;
    const unsubscribe = feed.subscribe(thread, (update) => (stream ? stream.send(update) : first.add(update)));
    const leave = (): void => {
      unsubscribe();
      this.#open.delete(outgoing);
      if (this.#open.size === 0) this.#rest();
    };
    outgoing.once('close', leave);
    this.#open.set(outgoing, undefined);
    try {
      const read = await this.#read(store, thread, after);
      if (read === undefined || this.#stopping) {
        leave();
        return read === undefined ? 'missing' : 'stopping';
      }
      if (outgoing.destroyed) return 'open';
      stream = new EventStream(outgoing, read.after, clock, limits);
      this.#open.set(outgoing, stream);
      stream.send({ ...first.assemble(read.timeline, feed.live(thread)), live: false });
      this.#callOffHeartbeat ??= clock.wakeAt(clock.now() + limits.heartbeatMs, () => this.#beat());
      return 'open';
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Ends every stream; a browser's reader comes back by itself, to the next process. */
  close(): void {
    this.#stopping = true;
    this.#rest();
    for (const stream of this.#open.values()) stream?.end();
  }

  /** A revision that the thread has not reached yet is from another store: the reader gets everything. */
  async #read(store: Pick<Store, 'changes'>, thread: ThreadId, after: number) {
    const timeline = await store.changes(thread, after);
    if (timeline === undefined || timeline.revision >= after) return timeline && { timeline, after };
    const whole = await store.changes(thread, 0);
    return whole && { timeline: whole, after: 0 };
  }

  #beat(): void {
    const { clock, limits } = this.#options;
    this.#callOffHeartbeat = clock.wakeAt(clock.now() + limits.heartbeatMs, () => this.#beat());
    for (const stream of this.#open.values()) stream?.heartbeat();
  }

  #rest(): void {
    this.#callOffHeartbeat?.();
    this.#callOffHeartbeat = undefined;
  }
}
