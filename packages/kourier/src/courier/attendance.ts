import { LIMITS } from '../core/limits.ts';
import type { ThreadId } from '../core/thread/ids.ts';
import { type Message, messageEntry } from '../core/thread/message.ts';
import { Conversation } from './conversation.ts';
import { Lease } from './lease.ts';
import { chatOf, type World } from './world.ts';

/** How often the store is asked for threads that nobody works on: what another courier left, or took a message for. */
const LOOK_EVERY_MS = 5_000;

/** The threads that this courier holds: each claimed once, kept while it owes something and, while there is room, after. */
export class Attendance {
  readonly #world: World;
  readonly #lease: Lease;
  /** Least recently active first. */
  readonly #held = new Map<ThreadId, Conversation>();
  readonly #claiming = new Map<ThreadId, Promise<Conversation | 'held' | 'missing'>>();
  /** Messages whose thread could not be read, by the revision of the first. */
  readonly #unseen = new Map<ThreadId, number>();
  #callOffLook: (() => void) | undefined;
  #looking: Promise<void> | undefined;
  #ended = false;

  constructor(world: World) {
    this.#world = world;
    this.#lease = new Lease(world);
  }

  async start(): Promise<void> {
    this.#lease.start();
    await this.#look();
  }

  async end(): Promise<void> {
    this.#ended = true;
    this.#callOffLook?.();
    this.#lease.end();
    await this.#looking;
    await Promise.allSettled(this.#claiming.values());
    await Promise.allSettled([...this.#held.values()].map((conversation) => conversation.leave()));
    this.#held.clear();
  }

  accepted(thread: ThreadId, message: Message, revision: number): void {
    const known = this.#held.get(thread);
    if (known && !known.gone) {
      known.showNews([messageEntry(message)], revision);
      known.poke();
      return;
    }
    // What fails here is made good by the next look.
    if (!this.#ended)
      this.#showNews(thread, revision).catch(() => {
        this.#unseen.set(thread, Math.min(revision, this.#unseen.get(thread) ?? revision));
      });
    this.attend(thread).catch(() => undefined);
  }

  /** A message is seen before its turn comes, also while another courier, perhaps a dead one, holds the thread. */
  async #showNews(thread: ThreadId, revision: number): Promise<void> {
    const news = await this.#world.store.changes(thread, revision - 1);
    if (!news || this.#ended) return;
    const { binding, entries, status } = news;
    const known = this.#held.get(thread);
    if (known && !known.gone) return known.showNews(entries, news.revision);
    chatOf(this.#world, binding).show({ thread, binding, entries, status, revision: news.revision, live: false });
  }

  /** The thread's conversation; `held` while another courier works on it. Rejects when the store does. */
  attend(thread: ThreadId): Promise<Conversation | 'held' | 'missing'> {
    const known = this.#held.get(thread);
    if (known && !known.gone) {
      known.poke();
      return Promise.resolve(known);
    }
    const claiming = this.#claiming.get(thread) ?? this.#claim(thread).finally(() => this.#claiming.delete(thread));
    this.#claiming.set(thread, claiming);
    return claiming;
  }

  /** Another courier has had the thread since. A conversation under way finds out with its next commit; one that is idle would not. */
  lost(thread: ThreadId): void {
    const known = this.#held.get(thread);
    if (!known?.idle) return;
    this.#held.delete(thread);
    known.leave().catch(() => undefined);
  }

  /** Whether this courier has had the thread ever since it had this conversation, as far as it knows. */
  isHeld(thread: ThreadId, conversation: Conversation): boolean {
    return this.#held.get(thread) === conversation && !conversation.gone;
  }

  async #claim(thread: ThreadId): Promise<Conversation | 'held' | 'missing'> {
    if (this.#ended) return 'held';
    const claim = await this.#world.store.claim(thread, this.#lease.next(), this.#world.clock.now());
    if (claim.kind !== 'claimed') return claim.kind;
    const conversation = new Conversation(this.#world, this.#lease.owner, claim, () => this.#quiet(thread));
    // Not held before it has been taken up: one whose store fails here is claimed again by the next look.
    await conversation.takeUp();
    this.#held.set(thread, conversation);
    return conversation;
  }

  /** A thread that has gone quiet makes room for others when there are too many. */
  #quiet(thread: ThreadId): void {
    const conversation = this.#held.get(thread);
    if (!conversation) return;
    this.#held.delete(thread);
    if (conversation.gone) return;
    this.#held.set(thread, conversation);
    if (this.#held.size <= LIMITS.idleThreads) return;
    for (const [id, oldest] of this.#held) {
      if (!oldest.idle) continue;
      this.#held.delete(id);
      oldest.leave().catch(() => undefined);
      return;
    }
  }

  async #look(): Promise<void> {
    this.#looking = this.#takeUpOwing();
    await this.#looking;
    if (this.#ended) return;
    const { clock } = this.#world;
    this.#callOffLook = clock.wakeAt(clock.now() + LOOK_EVERY_MS, () => void this.#look());
  }

  /** What fails for one thread holds up no other, and is tried again by the next look; the first failure is told. */
  async #takeUpOwing(): Promise<void> {
    let told = false;
    const failed = (thread: ThreadId | '', error: unknown): void => {
      const why = error instanceof Error ? error.message : 'unknown';
      if (!told) this.#world.observe({ event: 'store-failed', thread, why });
      told = true;
    };
    const owing = await this.#world.store.owing(LIMITS.idleThreads).catch((error: unknown) => failed('', error));
    if (!owing) return;
    for (const [thread, revision] of this.#unseen) {
      const shown = this.#showNews(thread, revision).then(() => this.#unseen.delete(thread));
      await shown.catch((error: unknown) => failed(thread, error));
    }
    for (const thread of owing) {
      if (this.#ended) return;
      const known = this.#held.get(thread);
      if (known && !known.gone && !known.idle) continue;
      await this.attend(thread).catch((error: unknown) => failed(thread, error));
    }
  }
}
