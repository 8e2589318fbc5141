import type { ThreadStatus } from '../../../core/thread/entry.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Place } from '../../../ports/poster.ts';
import type { CallOutcome } from './calls/call-outcome.ts';
import type { Priority } from './calls/limiter.ts';
import type { CallOptions, SlackCalls } from './calls/slack-calls.ts';
import { readPlace } from './slack-place.ts';

/** Slack takes the line away after two minutes without a message. */
const REFRESH_MS = 100_000;
/** After it could not be said. */
const AGAIN_MS = 10_000;
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

interface Line {
  status: ThreadStatus;
  isSaying: boolean;
  /** Slack shows something of it, as far as is known. */
  isThere: boolean;
  /** Of what waits to be said: it need not be any more. */
  over: AbortController;
  callOff: () => void;
}

/**
 * The line below a thread that says whether the agent works, and the native stop button with it (slack.md 1.5). Nothing
 * waits for it, and nothing fails with it; but it does not stay as it was: a button that stops nothing is taken away,
 * however much else is said meanwhile. What changes while it waits for its turn is said as it is by then.
 */
export class ThreadStatusLine {
  readonly #calls: SlackCalls;
  readonly #clock: Clock;
  readonly #lines = new Map<Place, Line>();
  #hasSessions = true;
  #isClosed = false;

  constructor(calls: SlackCalls, clock: Clock) {
    this.#calls = calls;
    this.#clock = clock;
  }

  show(place: Place, status: ThreadStatus): void {
    const known = this.#lines.get(place);
    if (known?.status === status || this.#isClosed) return;
    if (known === undefined && (status === 'idle' || this.#lines.size >= THREADS)) return;
    const line: Line = known ?? {
      status,
      isSaying: false,
      isThere: false,
      over: new AbortController(),
      callOff: () => {},
    };
    line.status = status;
    this.#lines.set(place, line);
    line.callOff();
    if (line.isSaying) line.over.abort();
    else void this.#say(place, line, status === 'running' || status === 'queued' ? 'final' : 'prompt');
  }

  /** Nothing is said any more. */
  close(): void {
    this.#isClosed = true;
    for (const { callOff, over } of this.#lines.values()) {
      callOff();
      over.abort();
    }
    this.#lines.clear();
  }

  async #say(place: Place, line: Line, priority: Priority): Promise<void> {
    const { status } = line;
    line.isSaying = true;
    line.over = new AbortController();
    const outcome = await this.#send(place, status, { priority, over: line.over.signal });
    line.isSaying = false;
    line.isThere ||= outcome !== undefined && outcome.kind !== 'not-sent';
    if (this.#isClosed) return;
    if (line.status === 'idle' && !line.isThere) return void this.#lines.delete(place);
    if (line.status !== status) return void this.#say(place, line, 'prompt');
    const isSaid = outcome === undefined || outcome.kind === 'ok' || outcome.kind === 'no';
    if (isSaid && status === 'idle') return void this.#lines.delete(place);
    const againMs = outcome?.kind === 'not-sent' ? Math.max(AGAIN_MS, outcome.retryAfterMs ?? 0) : AGAIN_MS;
    line.callOff = this.#clock.wakeAt(
      this.#clock.now() + (isSaid ? REFRESH_MS : againMs),
      () => void this.#say(place, line, isSaid ? 'live' : 'prompt'),
    );
  }

  async #send(place: Place, status: ThreadStatus, options: CallOptions): Promise<CallOutcome | undefined> {
    const where = readPlace(place);
    if (where === undefined) return undefined;
    const thread = { channel_id: where.channel, thread_ts: where.threadTs };
    if (this.#hasSessions) {
      const said = { ...thread, status: SESSION[status] };
      const outcome = await this.#calls.call('agents.sessions.setStatus', said, options);
      if (outcome.kind !== 'no') return outcome;
      if (NO_SESSIONS.includes(outcome.error)) this.#hasSessions = false;
    }
    const line = status === 'running' || status === 'queued' ? WORKING : '';
    return this.#calls.call('assistant.threads.setStatus', { ...thread, status: line }, options);
  }
}
