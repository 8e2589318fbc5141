import type { Clock } from '../../src/ports/clock.ts';

const MINUTE_MS = 60_000;

/** Calls a minute of each method: slack.md 1.6. What is not named has the second tier. */
export const TIERS: Readonly<Record<string, number>> = {
  'apps.connections.open': 50,
  'agents.sessions.setStatus': 50,
  'assistant.threads.setStatus': 600,
  'auth.test': 600,
  'chat.appendStream': 100,
  'chat.delete': 50,
  'chat.getPermalink': 600,
  'chat.postEphemeral': 100,
  'chat.postMessage': 300,
  'chat.startStream': 20,
  'chat.stopStream': 20,
  'chat.update': 50,
  'conversations.history': 50,
  'conversations.info': 50,
  'conversations.join': 50,
  'conversations.list': 20,
  'conversations.members': 100,
  'conversations.open': 50,
  'conversations.replies': 50,
  'reactions.add': 50,
  'reactions.remove': 20,
  'team.info': 50,
  'users.conversations': 50,
  'users.info': 100,
  'users.list': 20,
  'views.open': 100,
  'views.push': 100,
  'views.update': 100,
};
const SECOND_TIER = 20;
/** Posts to one channel: one a second, and a few at once. */
const CHANNEL_BURST = 3;

/** Sliding windows by the fake's clock: one of each method, and one of each channel that is posted to. */
export class RateLimits {
  /** A minute of each method, to begin with by its tier; a test may set others. */
  readonly perMinute: Map<string, number> = new Map(Object.entries(TIERS));
  enabled: boolean;
  /** Every call that was refused: whoever paces well has none. */
  readonly refused: { readonly method: string; readonly atMs: number }[] = [];
  readonly #clock: Clock;
  readonly #taken = new Map<string, number[]>();

  constructor(clock: Clock, enabled: boolean) {
    this.#clock = clock;
    this.enabled = enabled;
  }

  /** Seconds to wait, where the call is one too many. */
  refuse(method: string, channel: string | undefined): number | undefined {
    if (!this.enabled) return undefined;
    const windows = [{ key: method, max: this.perMinute.get(method) ?? SECOND_TIER, withinMs: MINUTE_MS }];
    if (method === 'chat.postMessage' && channel !== undefined) {
      windows.push({ key: `${method} ${channel}`, max: CHANNEL_BURST, withinMs: CHANNEL_BURST * 1_000 });
    }
    const now = this.#clock.now();
    const waitMs = Math.max(0, ...windows.map(({ key, max, withinMs }) => this.#waitMs(key, max, withinMs, now)));
    if (waitMs > 0) {
      this.refused.push({ method, atMs: now });
      return Math.ceil(waitMs / 1_000);
    }
    for (const { key } of windows) this.#taken.get(key)?.push(now);
    return undefined;
  }

  #waitMs(key: string, max: number, withinMs: number, now: number): number {
    const taken = (this.#taken.get(key) ?? []).filter((atMs) => atMs > now - withinMs);
    this.#taken.set(key, taken);
    const first = taken[taken.length - max];
    return first === undefined ? 0 : first + withinMs - now;
  }
}
