import type { Clock } from '../../ports/clock.ts';
import { SPACE_STORE_LIMITS } from '../../ports/space/limits.ts';
import type { HeldQueue, OutboxStore, OwedDelivery, OwedSink, Queue, Sink } from '../../ports/space/outbox-store.ts';
import { OUTBOX_WAITS, SPACE_LIMITS } from '../limits.ts';
import { retryAfterMs } from './back-off.ts';

/**
 * What became of one attempt. `refused`: the sink will not take this event however often it comes. `gone`: the
 * configuration names no such sink any more. `error` is a constant text.
 */
export type Attempt =
  | { readonly kind: 'taken' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly error: string; readonly retryAfterMs?: number }
  | { readonly kind: 'refused'; readonly error: string };

/** Brings one event to its sink. Rejects with the reason of `signal` when that aborts; otherwise it is a bug. */
export type Deliver = (queue: Queue, event: OwedDelivery, signal: AbortSignal) => Promise<Attempt>;

export interface DispatcherParts {
  readonly store: Pick<OutboxStore, 'owedSinks' | 'claim' | 'owed' | 'delivered' | 'release' | 'failed'>;
  readonly deliver: Deliver;
  /**
   * Whether the configuration names a sink now. What is owed to one that it does not name is left alone for `unnamedMs`:
   * another process may have read a newer configuration, and whoever took it out by mistake has time to put it back.
   */
  readonly names: (sink: Sink) => boolean;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly chance: () => number;
  readonly observe: (event: DispatchEvent) => void;
}

/** One line of the log. */
export interface DispatchEvent {
  readonly event: 'event-delivered' | 'event-failed' | 'queue-died' | 'outbox-failed';
  readonly sink?: string;
  readonly taskId?: string;
  readonly error?: string;
}

/**
 * Brings what is owed to its sinks (rule A7): at least once, in order for each task and sink, whatever crashes. Queues
 * are independent: one that hangs or fails waits by itself, with a back-off of its own, and dies by itself. Each sink has
 * places of its own, for queues that it works on at once: none waits for another, however many of them hang. How many
 * sinks there are is bounded by the configuration.
 */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #stopped = new AbortController();
  /** Queues under way: each lets go of itself, and wakes. */
  readonly #held = new Set<Promise<void>>();
  /** How many of them each sink has. */
  readonly #taken = new Map<string, number>();
  #callOff: () => void = () => undefined;
  #looking: Promise<void> | undefined;
  #again = false;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
  }

  /** Something may have become due. Cheap, and safe to repeat; the first time it starts the dispatcher. */
  wake(): void {
    if (this.#stopped.signal.aborted) return;
    this.#again = true;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
      // What was woken between the last look and now.
      if (this.#again) this.wake();
    });
  }

  /** Calls off the attempts under way; what they were for stays owed, and is due for others at once. */
  async stop(): Promise<void> {
    this.#stopped.abort(new Error('the Space is stopping'));
    this.#callOff();
    await this.#looking;
    await Promise.all(this.#held);
  }

  /** Claims queues for as long as there are any, and places for them. */
  async #look(): Promise<void> {
    while (this.#again && !this.#stopped.signal.aborted) {
      this.#again = false;
      try {
        const now = this.#parts.clock.now();
        // A sink that has all its places wakes with the first of its queues that is done.
        const owed = (await this.#parts.store.owedSinks()).filter((sink) => this.#free(sink) > 0);
        const sinks = owed.map((sink) => ({ ...sink, dueAt: sink.dueAt + this.#waitMs(sink) }));
        // So far ahead it was put off by a clock that was ahead itself.
        const due = sinks.filter(({ dueAt }) => dueAt <= now || dueAt > now + SPACE_STORE_LIMITS.putOffMs);
        // All of them, also when one fails: what was claimed is held, and has to be worked on.
        const claims = await Promise.allSettled(due.map((sink) => this.#claim(sink, now)));
        for (const claim of claims) {
          if (claim.status === 'rejected') throw claim.reason;
          if (claim.value > 0) this.#again = true;
        }
        if (this.#again) continue;
        this.#sleepUntilDue(sinks, now);
      } catch (error) {
        // A store that fails now may be there in a while: the dispatcher must outlive it.
        this.#parts.observe({ event: 'outbox-failed', error: nameOf(error) });
        this.#sleepUntil(this.#parts.clock.now() + OUTBOX_WAITS.lookEveryMs);
      }
    }
  }

  /** How long what is due to a sink waits for somebody who knows it. */
  #waitMs(sink: Sink): number {
    return this.#parts.names(sink) ? 0 : OUTBOX_WAITS.unnamedMs;
  }

  #free(sink: Sink): number {
    return SPACE_LIMITS.outboxQueues - (this.#taken.get(keyOf(sink)) ?? 0);
  }

  /** How many queues there were. */
  async #claim(of: Sink, now: number): Promise<number> {
    const [until, waitMs] = [now + OUTBOX_WAITS.holdMs, this.#waitMs(of)];
    const which = { space: of.space, sink: of.sink, limit: this.#free(of) };
    const queues = await this.#parts.store.claim({ ...which, now: now - waitMs, until });
    const beginBefore = until - OUTBOX_WAITS.attemptMs;
    for (const queue of queues) this.#take(queue, waitMs > 0 ? this.#forget(queue) : this.#drain(queue, beginBefore));
    return queues.length;
  }

  #take(queue: HeldQueue, work: Promise<void>): void {
    const sink = keyOf(queue);
    this.#taken.set(sink, (this.#taken.get(sink) ?? 0) + 1);
    const held = this.#hold(queue, work).finally(() => {
      this.#held.delete(held);
      const left = (this.#taken.get(sink) ?? 0) - 1;
      if (left > 0) this.#taken.set(sink, left);
      else this.#taken.delete(sink);
      this.wake();
    });
    this.#held.add(held);
  }

  /** Lets go of a queue whatever happens, so that nobody has to wait until it is held no more. Never rejects. */
  async #hold(queue: HeldQueue, work: Promise<void>): Promise<void> {
    const { store, clock, observe } = this.#parts;
    try {
      await work;
    } catch (error) {
      const isStopping = this.#stopped.signal.aborted;
      if (!isStopping) observe({ event: 'outbox-failed', error: nameOf(error) });
      // A store that takes a claim and nothing else would else be asked for the same all the time.
      const dueAt = clock.now() + (isStopping ? 0 : OUTBOX_WAITS.lookEveryMs);
      // If it cannot be let go of either, its hold ends by itself.
      await store.release(queue, dueAt).catch(() => undefined);
    }
  }

  /** Owes a queue's events to nobody any more. */
  async #forget(queue: HeldQueue): Promise<void> {
    const { store, clock } = this.#parts;
    for (;;) {
      const last = (await store.owed(queue.id, SPACE_LIMITS.outboxEvents)).at(-1);
      if (last === undefined) return store.release(queue, clock.now());
      if (!(await store.delivered(queue, last.sequence))) return;
    }
  }

  /** Brings the events of one queue, in their order. No attempt begins when the hold might end before it does. */
  async #drain(queue: HeldQueue, beginBefore: number): Promise<void> {
    const { store, clock } = this.#parts;
    let tried = queue;
    for (;;) {
      const events = await store.owed(queue.id, SPACE_LIMITS.outboxEvents);
      for (const event of events) {
        if (this.#stopped.signal.aborted || clock.now() > beginBefore) return store.release(queue, clock.now());
        const attempt = await this.#attempt(queue, event);
        if (attempt.kind === 'gone') return store.release(queue, clock.now());
        if (attempt.kind === 'failed' || attempt.kind === 'refused') {
          return this.#failed(tried, attempt);
        }
        tried = { ...queue, attempts: 0, refusals: 0 };
        // Nothing more is owed; or another process has taken the queue over meanwhile, and goes on with it.
        if (!(await store.delivered(queue, event.sequence))) return;
      }
      if (events.length === 0) return store.release(queue, clock.now());
    }
  }

  async #attempt(queue: Queue, event: OwedDelivery): Promise<Attempt> {
    const { clock, observe } = this.#parts;
    const late = new AbortController();
    const callOff = clock.wakeAt(clock.now() + OUTBOX_WAITS.attemptMs, () => late.abort());
    const attempt = await this.#delivered(queue, event, late.signal).finally(callOff);
    const about = { sink: queue.sink, taskId: queue.taskId };
    if (attempt.kind === 'taken') observe({ event: 'event-delivered', ...about });
    else if (attempt.kind !== 'gone') observe({ event: 'event-failed', ...about, error: attempt.error });
    return attempt;
  }

  async #delivered(queue: Queue, event: OwedDelivery, late: AbortSignal): Promise<Attempt> {
    const stopped = this.#stopped.signal;
    try {
      return await this.#parts.deliver(queue, event, AbortSignal.any([late, stopped]));
    } catch (error) {
      if (stopped.aborted) throw error;
      // What nobody foresaw fails as everything does: it must end as a dead letter too, and not be tried for good.
      return { kind: 'failed', error: late.aborted ? 'A2A_SINK_TIMEOUT' : `A2A_SINK_FAILED ${nameOf(error)}` };
    }
  }

  async #failed(queue: HeldQueue, attempt: Attempt & { readonly error: string }): Promise<void> {
    const { store, clock, chance, observe } = this.#parts;
    const refused = attempt.kind === 'refused';
    const [attempts, refusals] = [queue.attempts + 1, queue.refusals + (refused ? 1 : 0)];
    const now = clock.now();
    const isDead = attempts >= SPACE_LIMITS.outboxAttempts || refusals >= SPACE_LIMITS.outboxRefusals;
    if (isDead) observe({ event: 'queue-died', sink: queue.sink, taskId: queue.taskId, error: attempt.error });
    const wanted = attempt.kind === 'failed' ? (attempt.retryAfterMs ?? 0) : 0;
    const waitMs = Math.min(Math.max(retryAfterMs(attempts, chance()), wanted), OUTBOX_WAITS.lastRetryMs);
    await store.failed(queue, { error: attempt.error, refused, now, ...(isDead ? {} : { dueAt: now + waitMs }) });
  }

  /** `claimedAt`: when nothing could be claimed. What was due by then is in the hands of another process. */
  #sleepUntilDue(sinks: readonly OwedSink[], claimedAt: number): void {
    const dues = sinks.map(({ dueAt }) => dueAt).filter((dueAt) => dueAt > claimedAt);
    this.#sleepUntil(Math.min(claimedAt + OUTBOX_WAITS.lookEveryMs, ...dues));
  }

  #sleepUntil(atMs: number): void {
    this.#callOff();
    this.#callOff = this.#stopped.signal.aborted ? () => undefined : this.#parts.clock.wakeAt(atMs, () => this.wake());
  }
}

const keyOf = ({ space, sink }: Sink): string => JSON.stringify([space, sink]);

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');
