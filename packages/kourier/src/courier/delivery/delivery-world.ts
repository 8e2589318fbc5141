import type { DeliveryTimings } from '../../core/delivery/delivery-timings.ts';
import type { ThreadId } from '../../core/thread/ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Observe } from '../../ports/observer.ts';
import type { Place, Poster, PostRef } from '../../ports/poster.ts';
import type { Delivery, Store } from '../../ports/store.ts';
import type { Tenure } from '../courier.ts';

/** What a platform's adapter knows of places. */
export interface Places {
  /** Whether a place of a thread is one of this platform's. */
  isPlace(place: string): boolean;
  /** Where a binding's threads begin that began elsewhere; absent: they are not shown on the platform. */
  channelOf(binding: string): Place | undefined;
  /** The thread below a message that stands in a channel. */
  below(channel: Place, ref: PostRef): Place;
}

/** What a delivery needs of the store. */
export interface DeliveryStore extends Pick<Store, 'changes' | 'placesOf' | 'addPlace' | 'delivery' | 'undelivered'> {
  /**
   * `Store.deliver`, if this process has the thread: one under a lease that another has taken over since, or that was
   * given back, writes nothing and is `lost`, as with a commit.
   */
  deliver(thread: ThreadId, delivery: Delivery): Promise<'delivered' | 'lost'>;
}

/** Everything that a delivery touches. All of it is a port, so that the simulator can run the real one. */
export interface DeliveryWorld {
  readonly store: DeliveryStore;
  readonly clock: Clock;
  /** In [0, 1): the jitter of back-offs. */
  readonly chance: () => number;
  readonly observe: Observe;
  readonly poster: Poster;
  readonly places: Places;
  /** Takes a thread for this process: a delivery runs where the conversation is. `held`: another has it. */
  readonly hold: (thread: ThreadId) => Promise<Tenure | 'held' | 'missing'>;
  /** The store says that this process has the thread no longer. */
  readonly lost: (thread: ThreadId) => void;
  readonly timings: DeliveryTimings;
}
