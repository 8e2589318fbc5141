import { PUSH_LIMITS } from '../limits.ts';

interface Waiting {
  readonly host: string;
  readonly enter: () => void;
}

/** How many notifications are under way at once: so many in all, and of these so many to one host, so that none takes all. */
export class Places {
  readonly #taken = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  #count = 0;

  /** Waits for a place; the function returned gives it back. Rejects with the reason of `signal`. */
  async enter(host: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#hasRoom(host)) {
      this.#take(host);
    } else {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const waiting: Waiting = { host, enter: resolve };
      const leave = () => {
        if (this.#waiting.delete(waiting)) reject(signal.reason);
      };
      this.#waiting.add(waiting);
      signal.addEventListener('abort', leave, { once: true });
      await promise;
      signal.removeEventListener('abort', leave);
    }
    return () => this.#leave(host);
  }

  #hasRoom(host: string): boolean {
    return this.#count < PUSH_LIMITS.atOnce && (this.#taken.get(host) ?? 0) < PUSH_LIMITS.atOnceToHost;
  }

  #take(host: string): void {
    this.#count += 1;
    this.#taken.set(host, (this.#taken.get(host) ?? 0) + 1);
  }

  #leave(host: string): void {
    this.#count -= 1;
    const left = (this.#taken.get(host) ?? 0) - 1;
    if (left > 0) this.#taken.set(host, left);
    else this.#taken.delete(host);
    for (const waiting of this.#waiting) {
      if (this.#count >= PUSH_LIMITS.atOnce) break;
      if (!this.#hasRoom(waiting.host)) continue;
      this.#waiting.delete(waiting);
      this.#take(waiting.host);
      waiting.enter();
    }
  }
}
