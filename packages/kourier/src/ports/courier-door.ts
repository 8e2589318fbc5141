import type { Verdict } from '../core/request/decision-of.ts';
import type { Actor, Answers, Approval, RequestEntry } from '../core/thread/entry.ts';
import type { EntryId, ThreadId, TurnId } from '../core/thread/ids.ts';
import type { Key } from './store.ts';

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
  /** `false`: kept as context of the next turn, starts none. */
  readonly mention?: false;
  /** Data of a trigger, for the agent alone (rule S6). */
  readonly untrusted?: string;
  /** Idempotency, within the binding. */
  readonly key?: Key;
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
  readonly key?: Key;
  readonly traceId?: string;
}

/** What a person gives to a request: one of `answers` and `approvals`. */
export interface Given {
  readonly actor: Actor;
  readonly answers?: Answers;
  readonly approvals?: readonly Approval[];
}

export type Answered =
  /** The decision is durable, and goes out. */
  | { readonly kind: 'accepted' }
  /** Decided before, and not changed; `by` is absent where nobody decided, `decision` where it is not known. */
  | {
      readonly kind: 'settled';
      readonly state: RequestEntry['state'];
      readonly by?: Actor;
      readonly decision?: Verdict;
    }
  /** Not complete, or not an answer of this request; `why` is a sentence for who answered, and quotes nothing of it. */
  | { readonly kind: 'invalid'; readonly why: string }
  /** `missing`: no such request; `forbidden`: the actor may not decide it. */
  | NotTaken<'missing' | 'forbidden' | 'stopping'>;

/**
 * What HTTP and the chat platforms need of the courier. A message is durable when the promise resolves with `accepted`;
 * when it rejects, it may or may not be, and the same call with the same key is safe. `stopping`: the courier takes
 * nothing any more, nothing was written.
 */
export interface CourierDoor {
  open(opening: Opening): Promise<Taken | NotTaken<'full' | 'no-binding' | 'stopping'>>;
  say(thread: ThreadId, saying: Saying): Promise<Taken | NotTaken<'full' | 'missing' | 'stopping'>>;
  /** Decides a request, once: of two at the same moment one is `accepted`, the other `settled`. */
  answer(request: EntryId, given: Given): Promise<Answered>;
  stop(thread: ThreadId, actor?: Actor): Promise<'stopping' | 'nothing-to-stop' | 'missing'>;
}
