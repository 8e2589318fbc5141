import type { Clock } from '../../../../ports/clock.ts';
import type { Intake } from '../events/intake.ts';
import type { SlackLog } from '../slack-log.ts';
import { SocketLine } from './socket-line.ts';

export interface SocketSupervisorOptions {
  readonly platform: string;
  readonly appToken: string;
  readonly apiUrl: string;
  readonly clock: Clock;
  /** In [0, 1): the jitter of back-offs. */
  readonly chance: () => number;
  readonly intake: Intake;
  readonly log: SlackLog;
  /** Nothing was heard in between, for so long that Slack may have given up on what happened. */
  readonly resumed: (sinceMs: number) => void;
}

/** Two, so that one is there while the other is recycled (slack.md 1.2); Slack lets an app have ten. */
const LINES = 2;
const SECOND_LINE_AFTER_MS = 10_000;
const CONNECT_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 5_000;
/** The client pings every two seconds. */
const PONG_WITHIN_MS = 20_000;
const BACKOFF_MS = [0, 1_000, 2_000, 5_000, 10_000, 30_000] as const;
const GAP_MS = 10_000;
/** One that lived shorter counts as a failed one: a flapping network must not spend what Slack lets us open (case C169). */
const STEADY_AFTER_MS = 30_000;

interface Slot {
  line?: SocketLine;
  sinceMs: number;
  failures: number;
  connectedMs?: number;
  calledOff?: () => void;
}

/**
 * Keeps two connections of Socket Mode, whatever becomes of each: one that ends is opened anew, one that does not connect or
 * does not answer pings is given up first. There are never more than two (case C169).
 */
export class SocketSupervisor {
  readonly #options: SocketSupervisorOptions;
  readonly #slots: Slot[] = [];
  #stopped = false;
  /** When the last connection ended; absent while one is there, and before the first. */
  #deafSinceMs: number | undefined;
  #callOffLook: (() => void) | undefined;

  constructor(options: SocketSupervisorOptions) {
    this.#options = options;
  }

  start(): void {
    const { clock } = this.#options;
    for (let number = 0; number < LINES; number++) {
      const slot: Slot = { sinceMs: clock.now(), failures: 0 };
      this.#slots.push(slot);
      this.#openAfter(slot, number * SECOND_LINE_AFTER_MS);
    }
    this.#look();
  }

  /** Resolves when the connections are closed: what was acknowledged last has gone out. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#callOffLook?.();
    await Promise.all(
      this.#slots.map(({ line, calledOff }) => {
        calledOff?.();
        return line?.close();
      }),
    );
  }

  /** A connection is there and answered lately. */
  get isConnected(): boolean {
    return this.#slots.some(({ line }) => this.#isAlive(line));
  }

  /** Gives up what seems to be there and hears nothing (case C170). */
  renew(why: string): void {
    for (const { line } of this.#slots) line?.end(why);
  }

  #openAfter(slot: Slot, waitMs: number): void {
    if (this.#stopped) return;
    const { clock } = this.#options;
    slot.calledOff?.();
    if (waitMs === 0) return this.#open(slot);
    slot.calledOff = clock.wakeAt(clock.now() + waitMs, () => this.#open(slot));
  }

  #open(slot: Slot): void {
    const { appToken, apiUrl, clock, intake } = this.#options;
    slot.sinceMs = clock.now();
    const line: SocketLine = new SocketLine({
      ...{ appToken, apiUrl, clock, intake },
      connected: () => this.#connected(slot, line),
      ended: (why) => this.#lost(slot, line, why),
    });
    slot.line = line;
  }

  #connected(slot: Slot, line: SocketLine): void {
    if (slot.line !== line) return;
    const { clock, log, platform, resumed } = this.#options;
    slot.connectedMs = clock.now();
    log('info', { event: 'slack-connected', platform });
    const since = this.#deafSinceMs;
    this.#deafSinceMs = undefined;
    if (since !== undefined && clock.now() - since >= GAP_MS) resumed(since);
  }

  #lost(slot: Slot, line: SocketLine, why: string): void {
    if (slot.line !== line || this.#stopped) return;
    const { chance, clock, log, platform } = this.#options;
    const steady = slot.connectedMs !== undefined && clock.now() - slot.connectedMs >= STEADY_AFTER_MS;
    if (steady) slot.failures = 0;
    delete slot.line;
    delete slot.connectedMs;
    if (!this.isConnected) this.#deafSinceMs ??= clock.now();
    const waitMs = (BACKOFF_MS[Math.min(slot.failures, BACKOFF_MS.length - 1)] ?? 0) * (0.5 + chance() / 2);
    log(slot.failures === 0 ? 'info' : 'warn', { event: 'slack-disconnected', platform, why, againInMs: waitMs });
    slot.failures++;
    this.#openAfter(slot, waitMs);
  }

  #isAlive(line: SocketLine | undefined): boolean {
    const pong = line?.lastPongMs;
    return pong !== undefined && this.#options.clock.now() - pong <= PONG_WITHIN_MS;
  }

  #look(): void {
    const { clock } = this.#options;
    const now = clock.now();
    for (const { line, sinceMs } of this.#slots) {
      if (line === undefined) continue;
      const pong = line.lastPongMs;
      if (pong === undefined && now - sinceMs > CONNECT_WITHIN_MS) line.end('no connection in time');
      if (pong !== undefined && now - pong > PONG_WITHIN_MS) line.end('no answer to pings');
    }
    this.#callOffLook = clock.wakeAt(now + LOOK_EVERY_MS, () => this.#look());
  }
}
