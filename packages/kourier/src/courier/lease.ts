import type { Lease as StoreLease } from '../ports/store.ts';
import type { World } from './world.ts';

/** A courier that has died loses its threads after this long. */
const LEASE_MS = 30_000;
const EXTEND_EVERY_MS = 10_000;

/** This courier's hold on its threads, extended while it lives. Losing it is safe: the store refuses its commits. */
export class Lease {
  readonly owner: string;
  readonly #world: World;
  #callOff: (() => void) | undefined;

  constructor(world: World) {
    this.#world = world;
    this.owner = world.ids.owner();
  }

  next(): StoreLease {
    return { owner: this.owner, untilMs: this.#world.clock.now() + LEASE_MS };
  }

  start(): void {
    const { clock, store, observe } = this.#world;
    this.#callOff = clock.wakeAt(clock.now() + EXTEND_EVERY_MS, () => {
      this.start();
      store.extend(this.next()).catch((error: unknown) => {
        observe({ event: 'store-failed', thread: '', why: error instanceof Error ? error.message : 'unknown' });
      });
    });
  }

  end(): void {
    this.#callOff?.();
  }
}
