import { LIMITS } from '../../core/limits.ts';
import type { ThreadId } from '../../core/thread/ids.ts';
import type { Chat, ThreadUpdate } from '../../ports/chat.ts';
import type { DeliveryWorld } from './delivery-world.ts';
import { ThreadDelivery } from './thread-delivery.ts';

/** How often the store is asked for threads that are not shown: what a failure or another process left. */
const LOOK_EVERY_MS = 5_000;

/** The chat of a platform that is posted to: a thread is delivered by the process that holds it, one writer each. */
export class Deliveries implements Chat {
  readonly platform: string;
  readonly displayName: string;
  readonly #world: DeliveryWorld;
  /** Those that have something to show, or whose turn runs. */
  readonly #threads = new Map<ThreadId, ThreadDelivery>();
  #callOffLook: (() => void) | undefined;
  #looking: Promise<void> | undefined;
  #hasEnded = false;

  constructor(world: DeliveryWorld, displayName: string) {
    this.#world = world;
    this.platform = world.poster.platform;
    this.displayName = displayName;
  }

  /** Takes up what earlier processes left. Resolves when all of it is under way. */
  start(): Promise<void> {
    return this.#look();
  }

  show(update: ThreadUpdate): void {
    if (this.#hasEnded) return;
    const known = this.#threads.get(update.thread);
    if (known) known.show(update);
    else this.#begin(update.thread)?.show(update);
  }

  /** Ends what is under way. What is not shown by then is shown by whoever holds the thread next. */
  async leave(): Promise<void> {
    this.#hasEnded = true;
    this.#callOffLook?.();
    await this.#looking;
    await Promise.all([...this.#threads.values()].map((delivery) => delivery.leave()));
    this.#threads.clear();
  }

  #begin(thread: ThreadId): ThreadDelivery | undefined {
    // Past the limit it waits in the store for a look.
    if (this.#threads.size >= LIMITS.deliveries) return undefined;
    const delivery = new ThreadDelivery(this.#world, thread, (again) => {
      this.#threads.delete(thread);
      if (again) this.#begin(thread);
    });
    this.#threads.set(thread, delivery);
    return delivery;
  }

  async #look(): Promise<void> {
    this.#looking = this.#takeUp();
    await this.#looking;
    if (this.#hasEnded) return;
    const { clock } = this.#world;
    this.#callOffLook = clock.wakeAt(clock.now() + LOOK_EVERY_MS, () => void this.#look());
  }

  async #takeUp(): Promise<void> {
    const { store, observe } = this.#world;
    try {
      for (const thread of await store.undelivered(this.platform, LIMITS.deliveries)) {
        if (this.#hasEnded) return;
        const known = this.#threads.get(thread);
        if (known) known.wake();
        else this.#begin(thread);
      }
    } catch (error) {
      observe({ event: 'store-failed', thread: '', why: error instanceof Error ? error.message : 'unknown' });
    }
  }
}
