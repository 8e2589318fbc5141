import type { EntryId, ThreadId, TurnId } from '../src/core/thread/ids.ts';
import type { Clock } from '../src/ports/clock.ts';
import type { Ids } from '../src/ports/ids.ts';
import type { Prng } from './prng.ts';
import type { Scheduler } from './scheduler.ts';

const EPOCH_MS = Date.UTC(2026, 0, 1);

/** One computer: its clock outlives the couriers that run on it, one after another. */
export class Machine {
  readonly name: string;
  readonly #scheduler: Scheduler;
  #offsetMs = 0;
  readonly #jumped = new Set<() => void>();

  constructor(name: string, scheduler: Scheduler) {
    this.name = name;
    this.#scheduler = scheduler;
  }

  now(): number {
    return EPOCH_MS + this.#scheduler.nowMs + this.#offsetMs;
  }

  jump(byMs: number): void {
    this.#offsetMs += byMs;
    for (const rearm of [...this.#jumped]) rearm();
  }

  /** As the port says: once, not before the time on this clock, and never after the process is gone. */
  clockOf(life: Life): Clock {
    return {
      now: () => this.now(),
      wakeAt: (atMs, wake) => {
        let callOff = () => {};
        const due = () => {
          this.#jumped.delete(arm);
          if (life.alive) wake();
        };
        const arm = () => {
          callOff();
          callOff = this.#scheduler.after(Math.max(0, Math.ceil(atMs - this.now())), due);
        };
        this.#jumped.add(arm);
        arm();
        return () => {
          this.#jumped.delete(arm);
          callOff();
        };
      },
    };
  }
}

/** A process is named after its machine, with a number. */
export const machineOf = (life: string): string => life.replace(/\d+$/, '');

/** An id is named after the process that made it. */
export const lifeOf = (id: string): string => /-(\w+)\./.exec(id)?.[1] ?? '';

/** One life of a process. When it ends its ports fall silent: nothing reaches it, and what it asked for still happens. */
export class Life {
  /** Unique over machines and restarts. */
  readonly name: string;
  readonly machine: string;
  alive = true;
  /** It has ended its work by itself: nothing may come from it any more. */
  drained = false;
  readonly #ends: (() => void)[] = [];

  constructor(name: string) {
    this.name = name;
    this.machine = machineOf(name);
  }

  onEnd(ended: () => void): void {
    this.#ends.push(ended);
  }

  end(): void {
    if (!this.alive) return;
    this.alive = false;
    for (const ended of this.#ends.splice(0)) ended();
  }
}

export function idsOf(life: Life, chances: Prng): Ids {
  let count = 0;
  const next = (kind: string) => `${kind}-${life.name}.${++count}`;
  return {
    thread: () => next('t') as ThreadId,
    turn: () => next('u') as TurnId,
    entry: () => next('e') as EntryId,
    trace: () => chances.next().toString(16).padStart(32, '0'),
    owner: () => life.name,
    chance: () => chances.fraction(),
  };
}
