import type { Clock } from '../../../../ports/clock.ts';
import { CHANNEL_POSTS, LIVE_SHARE, methodRate, type Rate } from './rates.ts';
import { Window } from './window.ts';

/**
 * First what people wait for: prompts with what becomes of them, and notices; then the end of an answer, a step, the
 * first of an answer that grows; last what can be left out (slack.md 1.6).
 */
export type Priority = 'prompt' | 'final' | 'step' | 'first' | 'live';

/** What comes later by less than this difference goes first all the same. By more it does not: nothing waits for ever. */
const GIVES_WAY_MS = {
  prompt: 0,
  final: 2_000,
  step: 5_000,
  first: 25_000,
  live: 60_000,
} as const satisfies Record<Priority, number>;

export interface Turnstile {
  readonly method: string;
  /** Posts are counted for each channel too. */
  readonly channel?: string;
  readonly priority: Priority;
}

/** `busy`: it was not let through by `untilMs`; it may be tried again after `retryAfterMs`. */
export type Let = { readonly kind: 'through' } | { readonly kind: 'busy'; readonly retryAfterMs: number };

interface Waiting extends Turnstile {
  /** Its place in the queue. */
  readonly byMs: number;
  readonly untilMs: number;
  readonly leave: (outcome: Let) => void;
}

const NOT_NOW: Let = { kind: 'busy', retryAfterMs: 0 };
/** Windows of channels that are kept; one that nobody posts to is forgotten. */
const CHANNELS = 1_000;

/**
 * Lets calls through at the rate that Slack takes: each method has a window of its own, each channel one for posts, and a
 * limit that Slack states holds up its method alone.
 */
export class Limiter {
  readonly #clock: Clock;
  readonly #methods = new Map<string, Window>();
  readonly #channels = new Map<string, Window>();
  readonly #waiting: Waiting[] = [];
  #callOff: (() => void) | undefined;
  #wakesAtMs = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Waits until `untilMs` at the longest, and not when `over` is said. */
  enter(turnstile: Turnstile, untilMs: number, over?: AbortSignal): Promise<Let> {
    if (over?.aborted) return Promise.resolve(NOT_NOW);
    return new Promise((resolve) => {
      const byMs = this.#clock.now() + GIVES_WAY_MS[turnstile.priority];
      const giveUp = (): void => this.#end(waiting, NOT_NOW);
      const leave = (outcome: Let): void => {
        over?.removeEventListener('abort', giveUp);
        resolve(outcome);
      };
      const waiting = { ...turnstile, untilMs, leave, byMs };
      over?.addEventListener('abort', giveUp);
      const at = this.#waiting.findIndex((other) => other.byMs > byMs);
      this.#waiting.splice(at < 0 ? this.#waiting.length : at, 0, waiting);
      this.#letThrough();
    });
  }

  /** Slack answered 429 to a method. */
  hold(method: string, retryAfterMs: number): void {
    this.#method(method).holdUntil(this.#clock.now() + retryAfterMs);
  }

  #letThrough(): void {
    const now = this.#clock.now();
    let nextMs = Number.POSITIVE_INFINITY;
    /** Who is behind somebody of the same method or channel has to wait too, but not behind another one's channel. */
    for (const waiting of [...this.#waiting]) {
      const windows = this.#windowsOf(waiting);
      const freeMs = Math.max(...windows.map(({ window, share }) => window.freeAt(now, share)));
      if (freeMs <= now) {
        for (const { window } of windows) window.take(now);
        this.#end(waiting, { kind: 'through' });
      } else if (now >= waiting.untilMs || freeMs > waiting.untilMs) {
        this.#end(waiting, { kind: 'busy', retryAfterMs: freeMs - now });
      } else nextMs = Math.min(nextMs, freeMs, waiting.untilMs);
    }
    this.#wakeAt(nextMs);
  }

  #end(waiting: Waiting, outcome: Let): void {
    this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
    waiting.leave(outcome);
  }

  #wakeAt(atMs: number): void {
    if (atMs === this.#wakesAtMs) return;
    this.#callOff?.();
    this.#wakesAtMs = atMs;
    this.#callOff = Number.isFinite(atMs)
      ? this.#clock.wakeAt(atMs, () => {
          this.#wakesAtMs = Number.POSITIVE_INFINITY;
          this.#letThrough();
        })
      : undefined;
  }

  #windowsOf({ method, channel, priority }: Turnstile): { readonly window: Window; readonly share: number }[] {
    const windows = [{ window: this.#method(method), share: priority === 'live' ? LIVE_SHARE : 1 }];
    if (channel !== undefined) windows.push({ window: this.#channel(channel), share: 1 });
    return windows;
  }

  #method(method: string): Window {
    return windowIn(this.#methods, method, methodRate(method));
  }

  #channel(channel: string): Window {
    const window = windowIn(this.#channels, channel, CHANNEL_POSTS);
    this.#channels.delete(channel);
    this.#channels.set(channel, window);
    const [oldest] = this.#channels.keys();
    if (this.#channels.size > CHANNELS && oldest !== undefined) this.#channels.delete(oldest);
    return window;
  }
}

function windowIn(windows: Map<string, Window>, name: string, rate: Rate): Window {
  const known = windows.get(name);
  if (known !== undefined) return known;
  const window = new Window(rate);
  windows.set(name, window);
  return window;
}
