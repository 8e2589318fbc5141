/** How the store of a Space talks to PostgreSQL. */
export const POSTGRES_LIMITS = {
  /** Of one process. */
  connections: 10,
  /** To get a connection, and for each statement, its wait for others included. */
  statementMs: 10_000,
  /** A process that stands still in the middle of a transaction holds others up for so long. */
  idleInTransactionMs: 5_000,
  /** A transaction that PostgreSQL undid because of another one is done again. */
  attempts: 5,
} as const;
