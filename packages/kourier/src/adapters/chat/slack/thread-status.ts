import type { ThreadStatus } from '../../../core/thread/entry.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Place } from '../../../ports/poster.ts';
import type { SlackCalls } from './calls/slack-calls.ts';
import { readPlace } from './slack-place.ts';

/** Slack takes the line away after two minutes without a message. */
const REFRESH_MS = 100_000;
/** Threads whose line is kept up. */
const THREADS = 1_000;
const WORKING = 'is working…';
/** Slack's words for an app that has no sessions, or a workspace that has none. */
const NO_SESSIONS = [
  'not_an_agent',
  'unknown_method',
  'missing_scope',
  'not_allowed_token_type',
  'feature_not_enabled',
];
const SESSION = {
  running: 'processing',
  waiting: 'suspended',
  queued: 'processing',
  idle: 'active',
} as const satisfies Record<ThreadStatus, string>;

/**
 * The line below a thread that says whether the agent works, and the native stop button with it (slack.md 1.5). As good
 * as it can be had: nothing waits for it, and nothing fails with it.
 */
export class ThreadStatusLine {
  readonly #calls: SlackCalls;
  readonly #clock: Clock;
  readonly #shown = new Map<Place, { readonly status: ThreadStatus; readonly callOff: () => void }>();
  #hasSessions = true;

  constructor(calls: SlackCalls, clock: Clock) {
    this.#calls = calls;
    this.#clock = clock;
  }

  show(place: Place, status: ThreadStatus): void {
    const before = this.#shown.get(place);
    if (before?.status === status || (before === undefined && status === 'idle')) return;
    this.#say(place, status);
  }

  /** Nothing is refreshed any more. */
  close(): void {
    for (const { callOff } of this.#shown.values()) callOff();
    this.#shown.clear();
  }

  #say(place: Place, status: ThreadStatus): void {
    this.#shown.get(place)?.callOff();
    this.#shown.delete(place);
    if (status !== 'idle' && this.#shown.size < THREADS) {
      const callOff = this.#clock.wakeAt(this.#clock.now() + REFRESH_MS, () => this.#say(place, status));
      this.#shown.set(place, { status, callOff });
    }
    void this.#send(place, status);
  }

  async #send(place: Place, status: ThreadStatus): Promise<void> {
    const where = readPlace(place);
    if (where === undefined) return;
    const thread = { channel_id: where.channel, thread_ts: where.threadTs };
    const options = { priority: 'live', waitMs: 0 } as const;
    if (this.#hasSessions) {
      const outcome = await this.#calls.call(
        'agents.sessions.setStatus',
        { ...thread, status: SESSION[status] },
        options,
      );
      if (outcome.kind !== 'no') return;
      if (NO_SESSIONS.includes(outcome.error)) this.#hasSessions = false;
    }
    const line = status === 'running' || status === 'queued' ? WORKING : '';
    await this.#calls.call('assistant.threads.setStatus', { ...thread, status: line }, options);
  }
}
