import type { Actor } from '../core/thread/entry.ts';
import type { ThreadId, TurnId } from '../core/thread/ids.ts';

export interface Taken {
  /** `repeated`: the idempotency key was known; the thread and turn are those of the first time. */
  readonly kind: 'accepted' | 'repeated';
  readonly thread: ThreadId;
  /** Absent when the message is an aside. */
  readonly turnId?: TurnId;
}

/** Nothing was written. One member for each kind, so that the compiler can rule them out one by one. */
export type NotTaken<Kind extends string> = Kind extends string ? { readonly kind: Kind } : never;

export interface Opening {
  readonly binding: string;
  readonly text: string;
  /** Absent when a trigger wrote it (rule S5). */
  readonly actor?: Actor;
  /** Data of a trigger, for the agent alone (rule S6). */
  readonly untrusted?: string;
  /** Idempotency, within the binding. */
  readonly key?: string;
  /** Where on its platform the thread is; a known place gets the message into its thread. */
  readonly place?: string;
  /** 32 hex digits, from a caller's `traceparent`. */
  readonly traceId?: string;
}

export interface Saying {
  readonly text: string;
  readonly actor?: Actor;
  /** `false`: kept as context of the next turn, starts none. */
  readonly mention: boolean;
  /** Idempotency, within the thread. */
  readonly key?: string;
  readonly traceId?: string;
}

/**
 * What the HTTP interface needs of the courier. A message is durable when the promise resolves with `accepted`; when
 * it rejects, it may or may not be, and the same call with the same key is safe. `stopping`: the courier takes nothing
 * any more, nothing was written.
 */
export interface CourierDoor {
  open(opening: Opening): Promise<Taken | NotTaken<'full' | 'no-binding' | 'stopping'>>;
  say(thread: ThreadId, saying: Saying): Promise<Taken | NotTaken<'full' | 'missing' | 'stopping'>>;
  stop(thread: ThreadId, actor?: Actor): Promise<'stopping' | 'nothing-to-stop' | 'missing'>;
}
