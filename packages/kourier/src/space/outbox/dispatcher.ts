import type { Clock } from '../../ports/clock.ts';
import type { OutboxStore, OwedDelivery, Queue } from '../../ports/space/outbox-store.ts';
import { OUTBOX_WAITS, SPACE_LIMITS } from '../limits.ts';
import { retryAfterMs } from './back-off.ts';

/**
 * What became of one attempt. `refused`: the sink will not take this event however often it comes. `gone`: there is no
 * such sink any more, and nothing is owed to it. `error` is a constant text.
 */
export type Attempt =
  | { readonly kind: 'taken' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly error: string; readonly retryAfterMs?: number }
  | { readonly kind: 'refused'; readonly error: string };

/** Brings one event to its sink. Rejects only when `signal` aborts. */
export type Deliver = (queue: Queue, event: OwedDelivery, signal: AbortSignal) => Promise<Attempt>;

export interface DispatcherParts {
  readonly store: Pick<OutboxStore, 'claim' | 'owed' | 'delivered' | 'release' | 'failed' | 'nextDue'>;
  readonly deliver: Deliver;
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
 * are independent: one that fails waits by itself, with a back-off of its own, and dies by itself.
 */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #stopped = new AbortController();
  #callOff: () => void = () => undefined;
  #round: Promise<void> | undefined;
  #again = false;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
  }

  start(): void {
    this.wake();
  }

  /** Something may have become due. Cheap, and safe to repeat. */
  wake(): void {
    if (this.#stopped.signal.aborted) return;
    this.#again = true;
    this.#round ??= this.#rounds().finally(() => {
      this.#round = undefined;
      // What was woken between the last look and now.
      if (this.#again) this.wake();
    });
  }

  /** Calls off the attempts under way; what they were for stays owed. */
  async stop(): Promise<void> {
    this.#stopped.abort(new Error('the Space is stopping'));
    this.#callOff();
    await this.#round;
  }

  async #rounds(): Promise<void> {
    while (this.#again && !this.#stopped.signal.aborted) {
      this.#again = false;
      try {
        if (await this.#work()) this.#again = true;
        else await this.#sleepUntilDue();
      } catch (error) {
        // A store that fails now may be there in a while: the loop must outlive it.
        this.#parts.observe({ event: 'outbox-failed', error: nameOf(error) });
        this.#sleepUntil(this.#parts.clock.now() + OUTBOX_WAITS.lookEveryMs);
      }
    }
  }

  /** Whether there was anything to do. */
  async #work(): Promise<boolean> {
    const { store, clock } = this.#parts;
    const now = clock.now();
    const until = now + OUTBOX_WAITS.holdMs;
    const queues = await store.claim({ now, until, limit: SPACE_LIMITS.outboxQueues });
    const done = await Promise.allSettled(queues.map((queue) => this.#hold(queue, now + OUTBOX_WAITS.holdMs / 2)));
    const failure = done.find((result) => result.status === 'rejected');
    if (failure !== undefined && !this.#stopped.signal.aborted) throw failure.reason;
    return queues.length > 0;
  }

  /** Lets go of a queue whatever happens, so that nobody has to wait until it is held no more. */
  async #hold(queue: Queue, untilMs: number): Promise<void> {
    try {
      await this.#drain(queue, untilMs);
    } catch (error) {
      await this.#parts.store.release(queue.id);
      throw error;
    }
  }

  /** Brings the events of one queue, in their order, for as long as it is surely held. */
  async #drain(queue: Queue, untilMs: number): Promise<void> {
    const { store, clock } = this.#parts;
    let { attempts } = queue;
    for (;;) {
      const events = await store.owed(queue.id, SPACE_LIMITS.outboxEvents);
      for (const event of events) {
        const attempt = await this.#attempt(queue, event);
        if (attempt.kind === 'failed' || attempt.kind === 'refused')
          return this.#failed({ ...queue, attempts }, attempt);
        attempts = 0;
        await store.delivered(queue.id, event.sequence);
      }
      const isOver = events.length < SPACE_LIMITS.outboxEvents || clock.now() >= untilMs;
      if (isOver || this.#stopped.signal.aborted) return store.release(queue.id);
    }
  }

  async #attempt(queue: Queue, event: OwedDelivery): Promise<Attempt> {
    const { deliver, observe } = this.#parts;
    const attempt = await deliver(queue, event, this.#stopped.signal);
    const about = { sink: queue.sink, taskId: queue.taskId };
    if (attempt.kind === 'taken') observe({ event: 'event-delivered', ...about });
    else if (attempt.kind !== 'gone') observe({ event: 'event-failed', ...about, error: attempt.error });
    return attempt;
  }

  async #failed(queue: Queue, attempt: Attempt & { readonly error: string }): Promise<void> {
    const { store, clock, chance, observe } = this.#parts;
    const attempts = queue.attempts + 1;
    const now = clock.now();
    const most = attempt.kind === 'refused' ? SPACE_LIMITS.outboxRefusals : SPACE_LIMITS.outboxAttempts;
    const isDead = attempts >= most;
    if (isDead) observe({ event: 'queue-died', sink: queue.sink, taskId: queue.taskId, error: attempt.error });
    const wanted = attempt.kind === 'failed' ? (attempt.retryAfterMs ?? 0) : 0;
    const waitMs = Math.min(Math.max(retryAfterMs(attempts, chance()), wanted), OUTBOX_WAITS.lastRetryMs);
    await store.failed(queue.id, { error: attempt.error, now, ...(isDead ? {} : { dueAt: now + waitMs }) });
  }

  async #sleepUntilDue(): Promise<void> {
    const { store, clock } = this.#parts;
    const look = clock.now() + OUTBOX_WAITS.lookEveryMs;
    this.#sleepUntil(Math.min((await store.nextDue()) ?? look, look));
  }

  #sleepUntil(atMs: number): void {
    this.#callOff();
    this.#callOff = this.#parts.clock.wakeAt(atMs, () => this.wake());
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');
