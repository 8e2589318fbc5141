/** Who events are owed to, of one Space: those of two Spaces are two, whatever they are called. */
export interface Sink {
  readonly space: string;
  readonly sink: string;
}

/** A sink that queues which are alive owe something. */
export interface OwedSink extends Sink {
  /** When the first of them is due, or its hold ends. */
  readonly dueAt: number;
}

/**
 * The events of one task that are owed to one sink, in their order. It lasts while it owes something: what comes after
 * that makes another one, with another id.
 */
export interface Queue extends Sink {
  readonly id: string;
  readonly taskId: string;
  /** Attempts in a row that failed for its first event. */
  readonly attempts: number;
  /** How many of them the sink refused: it said that it will not take this event. */
  readonly refusals: number;
  /** Absent: none failed. A constant text. */
  readonly lastError?: string;
}

/** A queue as a claim gave it. */
export interface HeldQueue extends Queue {
  /** Tells this claim from those that come after it, once `until` has passed. */
  readonly hold: number;
}

export interface ClaimOptions extends Sink {
  readonly now: number;
  readonly until: number;
  readonly limit: number;
}

export interface FailedAttempt {
  readonly error: string;
  /** Absent: it may be taken another time. */
  readonly refused?: boolean;
  /** Absent: the queue dies. */
  readonly dueAt?: number;
  readonly now: number;
}

export interface OwedDelivery {
  /** Grows for a task and a sink; the same in every attempt, so that a sink can tell a repetition. */
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
 * order within a queue. A dead queue keeps what it owes, and what comes after, until an operator replays it, for
 * `deadQueueMs`. A queue that owes more than `queueEvents` loses the last but one for each that comes: a sink is always
 * told the end.
 *
 * A hold that is over (it was let go of, or its `until` passed and another claimed) changes nothing of the queue, but for
 * `delivered`. A store that one process has alone lets go, when it is opened, of what the process before held.
 */
export interface OutboxStore {
  /** Each sink that is owed something by a queue that is alive, once. Costs as much as there are sinks, not queues. */
  owedSinks(): Promise<readonly OwedSink[]>;
  /**
   * Queues of one sink that are alive, due, and that nobody holds, the first due first; each is held until `until`. Due are
   * also those that would be so only after `putOffMs`.
   */
  claim(options: ClaimOptions): Promise<readonly HeldQueue[]>;
  /** The first events of a queue. */
  owed(queueId: string, limit: number): Promise<readonly OwedDelivery[]>;
  /**
   * Forgets what was taken, up to and with `sequence`, and the attempts; true whoever holds the queue. Whether it is held on:
   * not when the hold was lost, and not when nothing more is owed.
   */
  delivered(queue: HeldQueue, sequence: number): Promise<boolean>;
  /** Lets go of a queue that owes more: it is due at `now`, after those that were due before. */
  release(queue: HeldQueue, now: number): Promise<void>;
  /** One attempt more that failed; lets go of the queue. */
  failed(queue: HeldQueue, failure: FailedAttempt): Promise<void>;
  /** The oldest death first. `cursor` is what a page before ended with; rejects with `UnknownCursor`. */
  dead(
    space: string,
    page: { readonly cursor?: string; readonly limit: number },
  ): Promise<{
    readonly queues: readonly DeadQueue[];
    readonly cursor?: string;
  }>;
  /** Brings a dead queue back, due at `now`, its attempts forgotten. `false`: there is no such dead queue in the Space. */
  replay(space: string, queueId: string, now: number): Promise<boolean>;
  /** Queues that are dead, and events that are owed, for the metrics. Costs as much as there are queues. */
  counts(): Promise<{ readonly dead: number; readonly owed: number }>;
}
