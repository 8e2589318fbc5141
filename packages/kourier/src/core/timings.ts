/** Every wait of the contract, in milliseconds: `Settings.spec.timings` with its defaults. */
export interface Timings {
  /** Headers of every call (rule D6). */
  readonly responseHeadersMs: number;
  /** A stream without an event is cut (rule R7). */
  readonly streamIdleMs: number;
  /** From a dropped stream to GetTask (rule R5). */
  readonly streamDropDelayMs: number;
  readonly followBackoffInitialMs: number;
  readonly followBackoffMaxMs: number;
  /** Sends, look-ups, cancels. */
  readonly retryBackoffInitialMs: number;
  readonly retryBackoffMaxMs: number;
  /** Unknown outcome or failed connect: the turn fails (rules D2, M5, R1, E5). */
  readonly giveUpAfterMs: number;
  /** -32004: the thread is told (rule E3). */
  readonly busyNoticeAfterMs: number;
  /** No sign of life after a lost stream: cancelled (rule M4). */
  readonly lifelessAfterMs: number;
  readonly cancelAttempts: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

export const DEFAULT_TIMINGS: Timings = {
  responseHeadersMs: 30 * SECOND,
  streamIdleMs: 5 * MINUTE,
  streamDropDelayMs: SECOND,
  followBackoffInitialMs: SECOND,
  followBackoffMaxMs: MINUTE,
  retryBackoffInitialMs: SECOND,
  retryBackoffMaxMs: 30 * SECOND,
  giveUpAfterMs: 15 * MINUTE,
  busyNoticeAfterMs: 2 * MINUTE,
  lifelessAfterMs: 60 * MINUTE,
  cancelAttempts: 5,
};
