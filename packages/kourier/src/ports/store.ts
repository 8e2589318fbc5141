import type { AuditRecord } from '../core/request/audit-record.ts';
import type { Entry, ThreadStatus } from '../core/thread/entry.ts';
import type { EntryId, ThreadId, TurnId } from '../core/thread/ids.ts';
import type { Message } from '../core/thread/message.ts';
import type { Thread } from '../core/thread/thread.ts';

/** What names a message, so that it is taken once: one name, or several of which each is enough to know it by. */
export type Key = string | readonly string[];

/**
 * What is durable. Every method is one transaction: when its promise resolves, what it wrote survives a crash of the
 * machine; when it rejects, nothing of it was written. The memory store is the oracle for the others.
 *
 * A thread is worked on by one courier at a time: the one that holds its lease. A commit under a lease that another
 * courier has taken over since does nothing and says so. One under a lease that ran out, but that nobody took, is
 * written all the same; one under a lease that was given back, or never taken, is `lost`.
 */
export interface Store {
  /**
   * Makes a thread with its first message, unless a `key` or `place` is known already for this binding. A known `key`:
   * the same message again, nothing is written. A known `place` (an alert group, a Slack thread): the message is
   * accepted into the thread there. The key is looked at first, then the place, then whether the thread is `full`: a
   * repeated message is `repeated` in a full thread too, and makes its place known to nobody.
   */
  open(
    thread: NewThread,
    message: Message,
    options?: { readonly key?: Key; readonly place?: string },
  ): Promise<Accepted>;
  /**
   * Takes a message into a thread: an entry, and pending until a commit takes it. A known `key` in this thread: nothing is
   * written. Of messages without a turn `LIMITS.pendingAsides` are pending at most: one more ends that of the oldest, which
   * stays in the timeline.
   */
  accept(thread: ThreadId, message: Message, options?: { readonly key?: Key }): Promise<Accepted | Missing>;

  /** Takes a thread's lease, unless another owner holds it beyond `nowMs`. Taking one's own again extends it. */
  claim(thread: ThreadId, lease: Lease, nowMs: number): Promise<Claim | Held | Missing>;
  /** Messages that no commit has taken yet, in their order. */
  pending(thread: ThreadId): Promise<readonly Message[]>;
  /** Writes the outcome of a decision, if the lease still holds. */
  commit(commit: Commit): Promise<Committed | Lost>;
  /** Extends every lease of an owner. */
  extend(lease: Lease): Promise<void>;
  /** Gives a thread back, if it is still this owner's. */
  release(thread: ThreadId, owner: string): Promise<void>;
  /**
   * Threads that owe something (a turn, or a pending message with one), whoever holds them. At most `limit`, ordered by
   * when a thread began to owe: one that goes on owing keeps its place, one that owed nothing in between is last.
   */
  owing(limit: number): Promise<readonly ThreadId[]>;

  /** A thread as it is to be seen. */
  timeline(thread: ThreadId): Promise<Timeline | undefined>;
  /** The entries that appeared or changed after a revision, in the order of the timeline. `afterRevision` 0: all. */
  changes(thread: ThreadId, afterRevision: number): Promise<Timeline | undefined>;

  /** The thread that an entry stands in: `Ids` give no id twice; of two threads that had the same all the same, the first. */
  threadOf(entry: EntryId): Promise<ThreadId | undefined>;
  /**
   * Audit records, newest first: at most `limit`, older than `before` (a record's `number`), of one thread if it is
   * named. A commit's stand in its order.
   */
  audit(query: AuditQuery): Promise<readonly NumberedAuditRecord[]>;

  /** The thread at a place of a binding, whether it was opened there or the place was added to it. */
  threadAt(binding: string, place: string): Promise<ThreadId | undefined>;
  /**
   * A further name for a thread within its binding, for good: from then on `open` and `threadAt` find it there too. May be
   * called at any time, by anyone, and again. `taken`: another thread of the binding has it, nothing was written. A place
   * that this thread has already is `added`, and stays where it stands in their order. Rejects for a thread that is not
   * there.
   */
  addPlace(thread: ThreadId, place: string): Promise<'added' | 'taken'>;
  /** Every place of a thread in the order in which they were added, the one that it was opened at first. */
  placesOf(thread: ThreadId): Promise<readonly string[]>;

  /** What `deliver` wrote last. */
  delivery(thread: ThreadId): Promise<Delivery | undefined>;
  /**
   * Puts a delivery in place of the one before, whatever its revision: a thread has one writer of these at a time, which
   * no lease holds apart from others. It is no entry: the thread's revision stays. A caller that posts commits what it is
   * about to do with this first. Rejects for a thread that is not there.
   */
  deliver(thread: ThreadId, delivery: Delivery): Promise<void>;
  /**
   * Threads of a platform that it has not been shown all of: their revision is later than their delivery's, or they have
   * none. At most `limit`, ordered by when a thread began to owe this: one that goes on owing keeps its place, however
   * much of it is delivered meanwhile; one that owed nothing in between is last. Costs what it answers with, however
   * many threads there are.
   */
  undelivered(platform: string, limit: number): Promise<readonly ThreadId[]>;

  /** Resolves when what was asked for before is written. Afterwards every method rejects. */
  close(): Promise<void>;
}

export interface NewThread {
  readonly id: ThreadId;
  readonly binding: string;
  /** The chat platform's id of its binding now. The thread stays that platform's, whatever becomes of the binding. */
  readonly platform: string;
}

export interface Lease {
  readonly owner: string;
  readonly untilMs: number;
}

/** Resolved when the message is durable. */
export type Accepted =
  | { readonly kind: 'accepted'; readonly thread: ThreadId; readonly turnId?: TurnId; readonly revision: number }
  /** Known already: the thread and turn of the first time. */
  | { readonly kind: 'repeated'; readonly thread: ThreadId; readonly turnId?: TurnId }
  /** `LIMITS.pendingMessages` with a turn wait in this thread already, and this is another one; nothing was written. */
  | { readonly kind: 'full' };

export interface Missing {
  readonly kind: 'missing';
}

export interface Claim {
  readonly kind: 'claimed';
  /** As the last commit wrote it; a thread that none has written yet is idle and without a context. */
  readonly thread: Thread;
  readonly pending: readonly Message[];
  readonly revision: number;
}

export interface Held {
  readonly kind: 'held';
  readonly untilMs: number;
}

export interface Commit {
  readonly owner: string;
  readonly thread: Thread;
  readonly status: ThreadStatus;
  /** `true` while there is something that a courier must go on with after a crash. */
  readonly owes: boolean;
  /** New entries go to the end of the timeline, in this order; known ones (same id) are replaced where they stand. */
  readonly entries: readonly Entry[];
  /** Messages that are pending no longer. */
  readonly taken: readonly EntryId[];
  /** Added to the audit, which nothing ever changes: a store refuses it to whoever has its file too. */
  readonly audit?: readonly AuditRecord[];
}

export interface Committed {
  readonly kind: 'committed';
  /** Grows by one with every commit and every accepted message of a thread; the first is 1. */
  readonly revision: number;
}

export interface Lost {
  readonly kind: 'lost';
}

export interface Timeline {
  readonly id: ThreadId;
  readonly binding: string;
  /** `queued` when the last commit said `idle` and a message with a turn is pending. */
  readonly status: ThreadStatus;
  readonly entries: readonly Entry[];
  readonly revision: number;
}

/** How far a thread has been shown on its platform. */
export interface Delivery {
  /** Everything of the thread up to this revision has been shown; 0: nothing yet. */
  readonly revision: number;
  /** What the delivery must know to go on after a crash: plain JSON, opaque here, returned as it was written. */
  readonly state: unknown;
}

export interface AuditQuery {
  readonly limit: number;
  readonly before?: number;
  readonly thread?: ThreadId;
}

/** `number` grows by one with every record of the store; the first is 1. */
export type NumberedAuditRecord = AuditRecord & { readonly number: number };
