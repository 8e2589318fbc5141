/** The events of one task that are owed to one sink, in their order. */
export interface Queue {
  readonly id: string;
  readonly space: string;
  readonly sink: string;
  readonly taskId: string;
  /** Attempts in a row that failed for its first event. */
  readonly attempts: number;
  /** Absent: none failed. A constant text. */
  readonly lastError?: string;
}

export interface OwedDelivery {
  /** Grows within a queue; the same in every attempt, so that a sink can tell a repetition. */
  readonly sequence: number;
  /** JSON text. */
  readonly payload: string;
  readonly owedAt: number;
}

export interface DeadQueue extends Queue {
  readonly events: number;
  readonly diedAt: number;
}

/**
 * Events are owed from the transaction that observed them (`TaskLedger.observe`) until a sink took them: at least once, in
 * order within a queue. A dead queue keeps what it owes, and what comes after, until an operator replays it.
 */
export interface OutboxStore {
  /** Queues that are alive, owe something, are due, and that nobody holds; each is held until `until`. */
  claim(options: { readonly now: number; readonly until: number; readonly limit: number }): Promise<readonly Queue[]>;
  /** The first events of a queue. */
  owed(queueId: string, limit: number): Promise<readonly OwedDelivery[]>;
  /** Forgets what was taken, up to and with `sequence`; the queue is held on. */
  delivered(queueId: string, sequence: number): Promise<void>;
  /** Lets go of a queue: due at once when more is owed. */
  release(queueId: string): Promise<void>;
  /** One attempt more that failed; lets go of the queue. `dueAt` absent: it dies. */
  failed(
    queueId: string,
    failure: { readonly error: string; readonly dueAt?: number; readonly now: number },
  ): Promise<void>;
  /** When the next queue is due; absent when none is. */
  nextDue(): Promise<number | undefined>;
  /** The oldest death first. */
  dead(
    space: string,
    page: { readonly cursor?: string; readonly limit: number },
  ): Promise<{
    readonly queues: readonly DeadQueue[];
    readonly cursor?: string;
  }>;
  /** Brings a dead queue back, due at `now`, its attempts forgotten. `false`: there is no such dead queue in the Space. */
  replay(space: string, queueId: string, now: number): Promise<boolean>;
  /** Queues that are dead, and events that are owed, for the metrics. */
  counts(): Promise<{ readonly dead: number; readonly owed: number }>;
}
