const DAY_MS = 24 * 60 * 60 * 1_000;

/** What a Space's store keeps, and for how long. The rest it keeps for good. */
export const SPACE_STORE_LIMITS = {
  /** An ended task, after it was last seen to change. */
  settledTaskMs: 30 * DAY_MS,
  /** A task that has not ended, after it was last seen to change. */
  unsettledTaskMs: 90 * DAY_MS,
  /** What a caller's idempotency token stands for. */
  tokenMs: 7 * DAY_MS,
  /** A permit that was used, after it expired. */
  spentPermitMs: 10 * 60 * 1_000,
  /** A dead queue with what it owes. */
  deadQueueMs: 90 * DAY_MS,
  /** Events that one task owes one sink. */
  queueEvents: 1_000,
  /** How far ahead a queue may be due that nobody holds. What is due later was put off by a clock that was ahead. */
  putOffMs: 20 * 60 * 1_000,
  /** For how many changes of all agents a removal is told. */
  removalChanges: 1_000_000,
  /** Tasks that a process prepares between two looks at what is too old; and how many rows of a kind one look forgets. */
  preparedBetweenSweeps: 100,
  sweptRows: 200,
} as const;
