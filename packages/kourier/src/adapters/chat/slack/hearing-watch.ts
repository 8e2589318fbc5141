import { type BackfillOptions, backfill } from './backfill.ts';
import type { HeardRecord } from './heard-record.ts';
import { HEARING } from './hearing-limits.ts';
import { textIn } from './json.ts';
import { Recent } from './recent.ts';
import { whyOf } from './slack-log.ts';
import { isTs, msToTs, tsToMs } from './slack-place.ts';

export interface HearingWatchOptions extends Omit<BackfillOptions, 'record'> {
  readonly record: HeardRecord;
  /** Connected, as far as anybody can see. */
  readonly isConnected: () => boolean;
  /** Nothing was told of what was said (case C170): what is connected is to be connected anew. */
  readonly deaf: () => void;
}

/**
 * Sees to it that nothing that was said stays unheard: makes up for the time before the start and for gaps, and looks every
 * few minutes whether something was said that nobody told us of.
 */
export class HearingWatch {
  readonly #options: HearingWatchOptions;
  readonly #heard = new Recent<true>(HEARING.heardMessages);
  readonly #startedMs: number;
  /** What is to be made up for, from when on. */
  #missingSinceMs: number | undefined;
  #isDeaf = false;
  #working: Promise<void> | undefined;
  #stopped = false;
  readonly #callOff = new Map<string, () => void>();

  constructor(options: HearingWatchOptions) {
    this.#options = options;
    this.#startedMs = options.clock.now();
  }

  start(): void {
    const { heardMs } = this.#options.record;
    // Somebody who starts for the first time has missed nothing.
    if (heardMs === undefined) this.#options.record.heardUntil(this.#startedMs);
    else this.missing(heardMs);
    this.#every('probe', HEARING.probeEveryMs, () => this.#probe());
    this.#every('save', HEARING.saveEveryMs, () => this.#options.record.save());
  }

  /** Resolves when nothing runs any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const callOff of this.#callOff.values()) callOff();
    this.#options.reads.stop();
    await this.#working;
    await this.#options.record.save().catch(() => {});
  }

  /** What is not heard as it should be, in a line; `undefined`: all is. */
  get trouble(): string | undefined {
    return this.#isDeaf ? 'connected, but not told of messages' : undefined;
  }

  /** A message came by, and was taken or is nothing to us. */
  heard(channel: string, ts: string): void {
    this.#heard.set(`${channel}/${ts}`, true);
  }

  /** What was said since then may not have been heard. */
  missing(sinceMs: number): void {
    const { clock, record } = this.#options;
    const from = Math.max(Math.min(sinceMs, record.heardMs ?? sinceMs), clock.now() - HEARING.backfillMs);
    this.#missingSinceMs = Math.min(from, this.#missingSinceMs ?? from);
    this.#work();
  }

  #work(): void {
    this.#working ??= this.#makeUp().finally(() => {
      this.#working = undefined;
      if (this.#missingSinceMs !== undefined && !this.#stopped) this.#work();
    });
  }

  async #makeUp(): Promise<void> {
    const { clock, log, platform, record } = this.#options;
    while (this.#missingSinceMs !== undefined && !this.#stopped) {
      const sinceMs = this.#missingSinceMs;
      const beganMs = clock.now();
      this.#missingSinceMs = undefined;
      // Slack's clock need not be ours.
      const fromMs = sinceMs - HEARING.probeGraceMs;
      const isWhole = await backfill(this.#options, fromMs, beganMs - HEARING.backfillMs).catch((error: unknown) => {
        log('error', { event: 'slack-backfill-failed', platform, why: whyOf(error) });
        return false;
      });
      if (isWhole) {
        this.#isDeaf = false;
        record.heardUntil(Math.max(record.heardMs ?? 0, beganMs - HEARING.probeGraceMs));
        await record.save().catch(() => {});
      } else if (!this.#stopped) this.#at('again', HEARING.retryMs, () => this.missing(sinceMs));
      log('info', { event: 'slack-backfilled', platform, sinceMs: fromMs, isWhole });
      if (!isWhole) return;
    }
  }

  /** Only what Slack had time to tell, and only since we listen. */
  async #probe(): Promise<void> {
    const { bound, clock, deaf, isConnected, log, platform, reads, record } = this.#options;
    if (this.#working !== undefined || !isConnected()) return;
    const untilMs = clock.now() - HEARING.probeGraceMs;
    const sinceMs = Math.max(untilMs - 2 * HEARING.probeEveryMs, this.#startedMs);
    for (const channel of bound.channels()) {
      const read = await reads.since(channel, msToTs(sinceMs));
      if (read.kind === 'failed') return;
      const unheard = read.messages.map((message) => textIn(message, 'ts')).filter(isTs);
      if (!unheard.some((ts) => tsToMs(ts) <= untilMs && this.#heard.get(`${channel}/${ts}`) === undefined)) continue;
      this.#isDeaf = true;
      log('error', { event: 'slack-deaf', platform, channel, why: 'messages were not told of' });
      deaf();
      return this.missing(sinceMs);
    }
    record.heardUntil(Math.max(record.heardMs ?? 0, untilMs));
  }

  #every(name: string, everyMs: number, act: () => Promise<void>): void {
    this.#at(name, everyMs, () => {
      void act()
        .catch((error: unknown) => {
          const { log, platform } = this.#options;
          log('warn', { event: 'slack-watch-failed', platform, why: whyOf(error) });
        })
        .finally(() => {
          if (!this.#stopped) this.#every(name, everyMs, act);
        });
    });
  }

  #at(name: string, inMs: number, wake: () => void): void {
    const { clock } = this.#options;
    this.#callOff.get(name)?.();
    this.#callOff.set(name, clock.wakeAt(clock.now() + inMs, wake));
  }
}
