import type { Given } from '../core/request/check-answer.ts';
import type { Actor } from '../core/thread/entry.ts';
import type { EntryId, ThreadId, TurnId } from '../core/thread/ids.ts';
import type { Message } from '../core/thread/message.ts';
import type { Accepted, Key } from '../ports/store.ts';
import type { AnswerTaken } from './answerers.ts';
import { Attendance } from './attendance.ts';
import type { World } from './world.ts';

export interface Opening {
  readonly binding: string;
  readonly text: string;
  readonly actor?: Actor;
  /** `false`: kept as context of the next turn. */
  readonly mention?: false;
  /** Data of a trigger, for the agent only. */
  readonly untrusted?: string;
  /** Idempotency: the same key is the same message. */
  readonly key?: Key;
  /** Where on its platform the thread is: a message for a known place goes into the thread there. */
  readonly place?: string;
  readonly traceId?: string;
}

/** From a claim of a thread until this courier has given it back, or has heard that it lost it. The next claim is another one. */
export interface Tenure {
  isOver(): boolean;
}

export interface Saying {
  readonly text: string;
  readonly actor?: Actor;
  /** `false`: kept as context of the next turn. */
  readonly mention: boolean;
  readonly key?: Key;
  readonly traceId?: string;
}

/** `full`: too many messages wait in the thread. `stopping`: this courier takes no new turns. */
export type Taken =
  | { readonly kind: 'accepted' | 'repeated'; readonly thread: ThreadId; readonly turnId?: TurnId }
  | { readonly kind: 'full' }
  | { readonly kind: 'stopping' };

/**
 * Carries turns from threads to agents and back, and owes each answer until it is shown. What it returned for is
 * durable; everything else it can lose and take up again.
 */
export class Courier {
  readonly #world: World;
  readonly #attendance: Attendance;
  #stopping = false;

  constructor(world: World) {
    this.#world = world;
    this.#attendance = new Attendance(world);
  }

  /** Takes up what earlier couriers left. Resolves when all of it is under way. */
  start(): Promise<void> {
    return this.#attendance.start();
  }

  /** No new turns; what runs is left as committed, to be taken up by the next courier (case C181). */
  async drain(): Promise<void> {
    this.#stopping = true;
    await this.#attendance.end();
  }

  /** A first message: a new thread, unless its key or place is known. */
  async open(opening: Opening): Promise<Taken | { readonly kind: 'no-binding' }> {
    const { binding, key, place } = opening;
    const { registry, ids, store } = this.#world;
    if (this.#stopping) return { kind: 'stopping' };
    const platform = registry.current().bindings.get(binding)?.chat.platform;
    if (platform === undefined) return { kind: 'no-binding' };
    const message = this.#message({ mention: true, ...opening });
    const options = { ...(key === undefined ? {} : { key }), ...(place === undefined ? {} : { place }) };
    return this.#taken(message, await store.open({ id: ids.thread(), binding, platform }, message, options));
  }

  /** A message in a thread. */
  async say(thread: ThreadId, saying: Saying): Promise<Taken | { readonly kind: 'missing' }> {
    if (this.#stopping) return { kind: 'stopping' };
    const message = this.#message(saying);
    const options = saying.key === undefined ? {} : { key: saying.key };
    const accepted = await this.#world.store.accept(thread, message, options);
    return accepted.kind === 'missing' ? accepted : this.#taken(message, accepted);
  }

  /** Stops the turn that is under way: its task is cancelled at the agent. */
  async stop(thread: ThreadId): Promise<'stopping' | 'nothing-to-stop' | 'missing'> {
    const conversation = await this.#attendance.attend(thread);
    if (conversation === 'missing') return 'missing';
    if (conversation === 'held' || conversation.idle) return 'nothing-to-stop';
    conversation.stop();
    return 'stopping';
  }

  /** A person answers a request: a question, or a tool approval. */
  async answer(request: EntryId, given: Given): Promise<AnswerTaken> {
    if (this.#stopping) return { kind: 'stopping' };
    const thread = await this.#world.store.threadOf(request);
    if (thread === undefined) return { kind: 'missing' };
    const conversation = await this.#attendance.attend(thread);
    if (conversation === 'missing') return { kind: 'missing' };
    return conversation === 'held' ? { kind: 'stopping' } : conversation.answer(request, given);
  }

  /** Takes a thread for this courier, unless another has it: what is posted of a thread is posted where its turns run. */
  async hold(thread: ThreadId): Promise<Tenure | 'held' | 'missing'> {
    const conversation = await this.#attendance.attend(thread);
    if (typeof conversation === 'string') return conversation;
    return { isOver: () => !this.#attendance.isHeld(thread, conversation) };
  }

  /** The store has told that this courier has lost a thread. */
  lost(thread: ThreadId): void {
    this.#attendance.lost(thread);
  }

  #message(saying: Omit<Saying, 'key'> & { readonly untrusted?: string }): Message {
    const { ids, clock } = this.#world;
    const { text, actor, untrusted, traceId, mention } = saying;
    return {
      id: ids.entry(),
      ...(mention ? { turnId: ids.turn() } : {}),
      ...(actor === undefined ? {} : { actor }),
      text,
      ...(untrusted === undefined ? {} : { untrusted }),
      atMs: clock.now(),
      ...(traceId === undefined ? {} : { traceId }),
    };
  }

  #taken(message: Message, accepted: Accepted): Taken {
    if (accepted.kind !== 'accepted') return accepted;
    const { thread, turnId, revision } = accepted;
    this.#world.observe({ event: 'message-accepted', thread, ...(turnId === undefined ? {} : { turn: turnId }) });
    this.#attendance.accepted(thread, message, revision);
    return { kind: 'accepted', thread, ...(turnId === undefined ? {} : { turnId }) };
  }
}
