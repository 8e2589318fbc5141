import type { ServerResponse } from 'node:http';
import type { ThreadUpdate } from '../../ports/chat.ts';
import type { Clock } from '../../ports/clock.ts';
import { FIRST_FRAME, HEARTBEAT } from './frames.ts';
import { Unsent } from './unsent.ts';

export interface StreamLimits {
  readonly eventStreamBytesPerSecond: number;
  readonly eventStreamBurstBytes: number;
  readonly eventStreamStallMs: number;
}

/** More than this is owed only when the clock was set back: it is forgiven. */
const MOST_DEBT_MS = 10_000;

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  'x-content-type-options': 'nosniff',
  'x-accel-buffering': 'no',
} as const;

/**
 * One reader's open stream, on Node's own response: nothing between it and the socket. A reader that does not read
 * gets the latest of each entry when it reads again, and is closed when it takes nothing for `eventStreamStallMs`.
 * What is committed goes out at once; live text is paced once the reader has had its burst.
 */
export class EventStream {
  readonly #outgoing: ServerResponse;
  readonly #unsent: Unsent;
  readonly #clock: Clock;
  readonly #limits: StreamLimits;
  #blocked = false;
  /** When all that was sent would have gone out at the allowed rate. */
  #paidAtMs = 0;
  #callOff: (() => void) | undefined;

  constructor(outgoing: ServerResponse, after: number, clock: Clock, limits: StreamLimits) {
    this.#outgoing = outgoing;
    this.#unsent = new Unsent(after);
    this.#clock = clock;
    this.#limits = limits;
    outgoing.on('drain', () => {
      this.#blocked = false;
      this.#flush();
    });
    outgoing.once('close', () => this.#callOff?.());
    // Node's idle timer of a socket knows of progress within one long write, which we would not see.
    outgoing.setTimeout(limits.eventStreamStallMs, () => outgoing.destroy());
    outgoing.writeHead(200, HEADERS);
    this.#write(FIRST_FRAME);
  }

  send(update: Pick<ThreadUpdate, 'entries' | 'status' | 'revision' | 'live'>): void {
    this.#unsent.add(update);
    const now = this.#clock.now();
    const dueAtMs = this.#dueAtMs(now);
    if (!update.live || dueAtMs <= now) this.#flush();
    else this.#callOff ??= this.#clock.wakeAt(dueAtMs, () => this.#flush());
  }

  heartbeat(): void {
    if (!this.#blocked) this.#write(HEARTBEAT);
  }

  end(): void {
    this.#flush();
    this.#outgoing.end();
  }

  #dueAtMs(now: number): number {
    if (this.#paidAtMs > now + MOST_DEBT_MS) this.#paidAtMs = now;
    const { eventStreamBurstBytes, eventStreamBytesPerSecond } = this.#limits;
    return this.#paidAtMs - (eventStreamBurstBytes * 1_000) / eventStreamBytesPerSecond;
  }

  #flush(): void {
    this.#callOff?.();
    this.#callOff = undefined;
    while (!this.#blocked && !this.#outgoing.destroyed) {
      const frame = this.#unsent.next();
      if (frame === undefined) return;
      this.#write(frame);
    }
  }

  #write(text: string): void {
    const now = this.#clock.now();
    const takesMs = (text.length * 1_000) / this.#limits.eventStreamBytesPerSecond;
    this.#paidAtMs = Math.max(now, this.#paidAtMs) + takesMs;
    this.#blocked = !this.#outgoing.write(text);
  }
}
