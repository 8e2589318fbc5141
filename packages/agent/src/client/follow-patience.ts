import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@agentkourier/a2a/json-value';
import type { Task } from '@agentkourier/a2a/model';
import { CLIENT_WAITS } from '../limits.ts';
import { type ClientClock, pause } from './client-clock.ts';
import { TransportError } from './client-error.ts';

/** How a task is followed after its stream was lost. */
export interface FollowOptions {
  /** The wait before a look at the task, at first and at most; it doubles while nothing is new. */
  readonly firstMs?: number;
  readonly mostMs?: number;
  /** Calls that are lost in a row before it is given up. */
  readonly attempts?: number;
  /**
   * The time after which it is given up when nothing is new (an hour unless given). A task that is read and has not changed
   * is nothing new, nor is a comment that keeps a stream open; an open stream is listened to all the same (case C059).
   */
  readonly lifelessMs?: number;
}

/** The waits between two looks at a task, and the time after its last sign of life at which it is given up. */
export class FollowPatience {
  readonly #clock: ClientClock;
  readonly #firstMs: number;
  readonly #mostMs: number;
  readonly #lifelessMs: number;
  #waitMs: number;
  #aliveAtMs: number;
  #read: JsonObject | undefined;

  constructor(clock: ClientClock, options: FollowOptions) {
    const { followFirstMs, followMostMs, lifelessMs } = CLIENT_WAITS;
    this.#clock = clock;
    this.#firstMs = options.firstMs ?? followFirstMs;
    this.#mostMs = options.mostMs ?? followMostMs;
    this.#lifelessMs = options.lifelessMs ?? lifelessMs;
    this.#waitMs = this.#firstMs;
    this.#aliveAtMs = clock.now();
  }

  get over(): boolean {
    return this.#leftMs() <= 0;
  }

  /** To be called when it is over: why. */
  end(): TransportError {
    const said = `The task gave no sign of life for ${this.#lifelessMs} ms`;
    return new TransportError(`${said}: cancel it, or follow it with a greater lifelessMs.`, 'delivered');
  }

  /** Doubles the wait that follows, and lasts no longer than until it is over. */
  async wait(signal: AbortSignal | undefined): Promise<void> {
    const waitMs = Math.min(this.#waitMs, this.#leftMs());
    this.#waitMs = Math.min(this.#waitMs * 2, this.#mostMs);
    await pause(this.#clock, waitMs, signal);
  }

  waitAtLeast(ms: number): void {
    this.#waitMs = Math.max(this.#waitMs, ms);
  }

  /** The stream said something new. */
  renew(): void {
    this.#waitMs = this.#firstMs;
    this.#aliveAtMs = this.#clock.now();
  }

  /** The task as it was read: a sign of life where it is another than the last time. */
  read({ source }: Task): void {
    if (!isDeepStrictEqual(source, this.#read)) this.#aliveAtMs = this.#clock.now();
    this.#read = source;
  }

  #leftMs(): number {
    return this.#aliveAtMs + this.#lifelessMs - this.#clock.now();
  }
}
