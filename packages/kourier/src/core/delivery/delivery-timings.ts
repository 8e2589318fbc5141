/** Every wait of a delivery, in milliseconds. */
export interface DeliveryTimings {
  /** From a post's intent until it is looked for: a call's time-out, and what the platform may add. */
  readonly settleMs: number;
  /** From an edit that may be under way until it cannot be any more: the last text is said once more then. */
  readonly doubtMs: number;
  /** Between two looks for the same post: the platform may show it late. */
  readonly lookAgainMs: number;
  /** Looks that find nothing before a post is made again. */
  readonly looks: number;
  /** From a post that may be a double to the look that removes the younger. */
  readonly checkAfterMs: number;
  /** How far before its intent a post is looked for: the platform's clock is not ours. */
  readonly lookBackMs: number;
  readonly backOffInitialMs: number;
  readonly backOffMaxMs: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

export const DEFAULT_DELIVERY_TIMINGS: DeliveryTimings = {
  settleMs: 15 * SECOND,
  doubtMs: 30 * SECOND,
  lookAgainMs: 3 * SECOND,
  looks: 2,
  checkAfterMs: MINUTE,
  lookBackMs: 2 * MINUTE,
  backOffInitialMs: SECOND,
  backOffMaxMs: MINUTE,
};
