import { PUSH_LIMITS } from '../limits.ts';

/** Where a notification goes, and whose task it is of. */
interface Place {
  readonly host: string;
  readonly owner: string;
}

interface Waiting extends Place {
  readonly enter: () => void;
}

/**
 * How many notifications are under way at once: so many in all, and of these so many to one host. Who waits when a place
 * is free: the owner who has the fewest enters, so that nobody who owes much to hosts that hang delays all others.
 */
export class Places {
  readonly #toHost = new Counts();
  readonly #ofOwner = new Counts();
  readonly #waiting = new Set<Waiting>();
  #count = 0;

  /** Waits for a place; the function returned gives it back. Rejects with the reason of `signal`. */
  async enter(place: Place, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#hasRoom(place)) {
      this.#take(place);
    } else {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const waiting: Waiting = { ...place, enter: resolve };
      const leave = () => {
        if (this.#waiting.delete(waiting)) reject(signal.reason);
      };
      this.#waiting.add(waiting);
      signal.addEventListener('abort', leave, { once: true });
      await promise;
      signal.removeEventListener('abort', leave);
    }
    return () => this.#leave(place);
  }

  #hasRoom({ host }: Place): boolean {
    return this.#count < PUSH_LIMITS.atOnce && this.#toHost.of(host) < PUSH_LIMITS.atOnceToHost;
  }

  #take({ host, owner }: Place): void {
    this.#count += 1;
    this.#toHost.add(host, 1);
    this.#ofOwner.add(owner, 1);
  }

  #leave({ host, owner }: Place): void {
    this.#count -= 1;
    this.#toHost.add(host, -1);
    this.#ofOwner.add(owner, -1);
    const next = this.#next();
    if (next === undefined) return;
    this.#waiting.delete(next);
    this.#take(next);
    next.enter();
  }

  /** Of those that find room the one whose owner has the fewest places, and of these the first that came. */
  #next(): Waiting | undefined {
    let next: Waiting | undefined;
    for (const waiting of this.#waiting) {
      if (!this.#hasRoom(waiting)) continue;
      if (next === undefined || this.#ofOwner.of(waiting.owner) < this.#ofOwner.of(next.owner)) next = waiting;
    }
    return next;
  }
}

/** What is counted stands here while it is more than none. */
class Counts {
  readonly #counts = new Map<string, number>();

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string, more: number): void {
    const count = this.of(key) + more;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}
