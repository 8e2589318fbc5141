import { decisionOf, type Verdict } from '../core/request/decision-of.ts';
import type { Actor, RequestEntry } from '../core/thread/entry.ts';
import type { EntryId, ThreadId } from '../core/thread/ids.ts';
import type { TurnEvent } from '../core/turn/event.ts';
import type { Store } from '../ports/store.ts';

/** What came of an answer that a person gave. */
export type AnswerTaken =
  | { readonly kind: 'accepted' }
  /** Decided before, or void; `by` and `decision` where a person decided. */
  | {
      readonly kind: 'settled';
      readonly state: RequestEntry['state'];
      readonly by?: Actor;
      readonly decision?: Verdict;
    }
  | { readonly kind: 'invalid'; readonly why: string }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'stopping' };

interface Waiting {
  readonly request: EntryId;
  readonly tell: (taken: AnswerTaken) => void;
  accepted: boolean;
}

/** Those who wait to hear whether their answer was the one. One of them decided; the others are told who, from the store. */
export class Answerers {
  readonly #store: Store;
  readonly #thread: ThreadId;
  readonly #waiting = new Map<TurnEvent, Waiting>();

  constructor(store: Store, thread: ThreadId) {
    this.#store = store;
    this.#thread = thread;
  }

  /** Resolves when the round that decides the event is durable, or will not be. */
  wait(event: TurnEvent, request: EntryId): Promise<AnswerTaken> {
    return new Promise((tell) => this.#waiting.set(event, { request, tell, accepted: false }));
  }

  decided(event: TurnEvent, accepted: boolean): void {
    const waiting = this.#waiting.get(event);
    if (waiting) waiting.accepted = accepted;
  }

  /** What was decided of these events is durable. */
  committed(events: readonly TurnEvent[]): void {
    for (const event of events) {
      const waiting = this.#waiting.get(event);
      if (!waiting) continue;
      this.#waiting.delete(event);
      const { request, tell, accepted } = waiting;
      if (accepted) tell({ kind: 'accepted' });
      else this.settled(request).then(tell, () => tell({ kind: 'stopping' }));
    }
  }

  /** What was decided about a request that takes no answer any more, and by whom. */
  async settled(request: EntryId): Promise<AnswerTaken> {
    const timeline = await this.#store.timeline(this.#thread);
    const entry = timeline?.entries.find(({ id }) => id === request);
    if (entry?.kind !== 'request') return { kind: 'missing' };
    const { state, answer } = entry;
    return { kind: 'settled', state, ...(answer && { by: answer.actor, decision: decisionOf(entry.type, answer) }) };
  }

  /** Nothing that they wait for will be written here. */
  abandon(): void {
    for (const { tell } of this.#waiting.values()) tell({ kind: 'stopping' });
    this.#waiting.clear();
  }
}
