import { afterCall, type Outcome } from '../../core/delivery/after-call.ts';
import { beforeCall } from '../../core/delivery/before-call.ts';
import { compacted, type Delivery, NO_DELIVERY } from '../../core/delivery/delivery.ts';
import { nextCall, type PostCall } from '../../core/delivery/next-call.ts';
import { takenUp } from '../../core/delivery/take-up.ts';
import type { ThreadId } from '../../core/thread/ids.ts';
import type { ThreadUpdate } from '../../ports/chat.ts';
import type { Place, Post } from '../../ports/poster.ts';
import type { Tenure } from '../courier.ts';
import type { DeliveryWorld } from './delivery-world.ts';
import { performCall, type Where } from './perform-call.ts';
import { ThreadView } from './thread-view.ts';

/** How long the store's word that this process has the thread is good for. With a late call it is shorter than `doubtMs`. */
const WORD_MS = 5_000;
/** A call that is under way at the end is waited for so long; whoever takes the thread up looks for what it did. */
const LEAVE_WITHIN_MS = 3_000;

/**
 * Makes the platform show one thread. No two of these post the same key: a post is made only after its intent is
 * durable, the store takes the intent only from the process that has the thread, and whoever has it next has read the
 * intent, and looks before posting. What was asked for by one that died, or has lost the thread and not heard of it yet,
 * can still arrive: a message is found by its key, and a text is said once more.
 */
export class ThreadDelivery {
  readonly #world: DeliveryWorld;
  readonly #thread: ThreadId;
  readonly #view: ThreadView;
  #delivery: Delivery = NO_DELIVERY;
  #where: Where = { place: undefined, channel: undefined };
  /** As it is durable, and up to which revision everything is shown. */
  #written: { readonly delivery: Delivery | undefined; readonly revision: number; readonly atMs?: number };
  #tenure: Tenure | undefined;
  /** A live call that is under way, and how it is told that it need not wait. */
  #live: { readonly key: string; readonly overtaken: AbortController } | undefined;
  #wakeUp: (() => void) | undefined;
  #isWoken = false;
  #state: 'open' | 'leaving' | 'gone' = 'open';
  readonly #over: Promise<void>;

  /** `over` is called when nothing is to be done for now, or when it cannot be done here; `again`: there is more since. */
  constructor(world: DeliveryWorld, thread: ThreadId, over: (again: boolean) => void) {
    this.#world = world;
    this.#thread = thread;
    this.#view = new ThreadView(world.store, thread);
    this.#written = { delivery: undefined, revision: 0 };
    this.#over = this.#run().then((hasRested) => {
      over(hasRested && this.#isWoken && this.#state === 'open');
      this.#state = 'gone';
    });
  }

  show(update: ThreadUpdate): void {
    this.#view.show(update);
    if (!update.live && this.#isOvertaken()) this.#live?.overtaken.abort();
    this.wake();
  }

  /** There may be something to do. */
  wake(): void {
    this.#isWoken = true;
    this.#wakeUp?.();
  }

  /** Resolves when nothing comes from here any more. */
  async leave(): Promise<void> {
    if (this.#state === 'open') this.#state = 'leaving';
    this.wake();
    const { clock } = this.#world;
    let callOff = () => {};
    const waited = new Promise<void>((resolve) => {
      callOff = clock.wakeAt(clock.now() + LEAVE_WITHIN_MS, resolve);
    });
    await Promise.race([this.#over, waited]);
    callOff();
    this.#state = 'gone';
  }

  async #run(): Promise<boolean> {
    try {
      const tenure = await this.#world.hold(this.#thread);
      if (typeof tenure === 'string') return false;
      this.#tenure = tenure;
      await this.#load();
      while (this.#state === 'open') {
        const next = await this.#goOn();
        if (next === 'lost' && !tenure.isOver()) this.#world.lost(this.#thread);
        if (next !== 'more') return next === 'rested';
      }
    } catch (error) {
      const why = error instanceof Error ? error.message : 'unknown';
      if (this.#state !== 'gone') this.#world.observe({ event: 'store-failed', thread: this.#thread, why });
    }
    return false;
  }

  async #load(): Promise<void> {
    const { store, places, clock, timings } = this.#world;
    const [stored, names] = await Promise.all([store.delivery(this.#thread), store.placesOf(this.#thread)]);
    await this.#view.catchUp();
    const delivery = (stored?.state as Delivery | undefined) ?? NO_DELIVERY;
    const place = names.find((name) => places.isPlace(name)) ?? delivery.place;
    this.#where = { place, channel: places.channelOf(this.#view.binding) };
    this.#delivery = takenUp(delivery, clock.now(), timings);
    this.#written = { delivery: stored && this.#delivery, revision: stored?.revision ?? 0 };
    if (place !== undefined && !names.includes(place)) await store.addPlace(this.#thread, place);
  }

  /** One call, or a wait for the next. */
  async #goOn(): Promise<'more' | 'rested' | 'lost'> {
    this.#isWoken = false;
    await this.#view.catchUp();
    const { clock, timings } = this.#world;
    const posts = this.#posts();
    this.#delivery = compacted(this.#delivery, posts);
    const call = nextCall(this.#delivery, posts, clock.now(), timings);
    if (call.kind === 'nothing') return this.#rest();
    if (call.kind !== 'wait') return (await this.#perform(call)) ? 'more' : 'lost';
    if (!(await this.#write(this.#delivery))) return 'lost';
    await this.#sleep(call.untilMs);
    return 'more';
  }

  #posts(): readonly Post[] {
    const { place, channel } = this.#where;
    const at = place ?? channel;
    return at === undefined ? [] : this.#world.poster.layout(this.#view.entries, at);
  }

  /** Everything is shown. While a turn runs there will be more of it. */
  async #rest(): Promise<'more' | 'rested' | 'lost'> {
    const { revision, status } = this.#view;
    if (!(await this.#write(this.#delivery, revision))) return 'lost';
    if (this.#isWoken) return 'more';
    if (status === 'idle') return 'rested';
    await this.#sleep();
    return 'more';
  }

  async #perform(call: PostCall<Post>): Promise<boolean> {
    const { clock } = this.#world;
    const intended = beforeCall(this.#delivery, call, clock.now(), this.#channel);
    if (!(intended === this.#delivery && this.#hasWord()) && !(await this.#write(intended, undefined, true)))
      return false;
    this.#delivery = intended;
    if (this.#state !== 'open') return false;
    const askedMs = clock.now();
    const overtaken = new AbortController();
    this.#live = 'post' in call && call.post.live ? { key: call.post.key, overtaken } : undefined;
    const outcome = await performCall(this.#world, call, this.#where, overtaken.signal);
    this.#live = undefined;
    if (this.#isGone) return false;
    this.#take(call, outcome, askedMs);
    if (call.kind === 'post' && !(await this.#write(this.#delivery))) return false;
    if ('place' in outcome && outcome.place !== undefined) await this.#settleAt(outcome.place);
    return true;
  }

  /** Something is to be said that people wait for, while live text waits for its turn. */
  #isOvertaken(): boolean {
    const { clock, timings } = this.#world;
    if (this.#live === undefined || this.#view.isBehind) return this.#view.isBehind;
    const { key } = this.#live;
    const posts = this.#posts();
    const next = nextCall(this.#delivery, posts, clock.now(), timings);
    return ('post' in next && !next.post.live) || !posts.some((post) => post.key === key && post.live);
  }

  #take(call: PostCall<Post>, outcome: Outcome, askedMs: number): void {
    const { clock, chance, timings, observe } = this.#world;
    const at = this.#channel;
    const moment = { askedMs, nowMs: clock.now(), chance: chance(), timings, ...(at === undefined ? {} : { at }) };
    this.#delivery = afterCall(this.#delivery, call, outcome, moment);
    if (outcome.kind !== 'refused') return;
    const { kind, why } = outcome;
    observe({ event: 'call-failed', thread: this.#thread, turn: '', call: call.kind, kind, why });
  }

  get #isGone(): boolean {
    return this.#state === 'gone';
  }

  /** Where the thread's place is to be made. */
  get #channel(): Place | undefined {
    const { place, channel } = this.#where;
    return place === undefined ? channel : undefined;
  }

  async #settleAt(place: Place): Promise<void> {
    this.#where = { ...this.#where, place };
    await this.#world.store.addPlace(this.#thread, place);
  }

  /** `false`: another process has the thread. `anew`: also when it is written already, for the store's word. */
  async #write(delivery: Delivery, revision = this.#written.revision, anew = false): Promise<boolean> {
    if (!anew && delivery === this.#written.delivery && revision === this.#written.revision) return true;
    const atMs = this.#world.clock.now();
    // Another process may have had the thread in between: then what is known here is old, whoever has it now.
    if (this.#tenure?.isOver() !== false) return false;
    const delivered = await this.#world.store.deliver(this.#thread, { revision, state: delivery });
    if (delivered === 'lost' || this.#tenure.isOver()) return false;
    this.#written = { delivery, revision, atMs };
    return true;
  }

  #hasWord(): boolean {
    const { atMs } = this.#written;
    if (this.#tenure?.isOver() !== false) return false;
    const agoMs = atMs === undefined ? -1 : this.#world.clock.now() - atMs;
    return agoMs >= 0 && agoMs <= WORD_MS;
  }

  #sleep(untilMs?: number): Promise<void> {
    if (this.#isWoken || this.#state !== 'open') return Promise.resolve();
    return new Promise((resolve) => {
      let callOff = () => {};
      this.#wakeUp = () => {
        callOff();
        this.#wakeUp = undefined;
        resolve();
      };
      if (untilMs !== undefined) callOff = this.#world.clock.wakeAt(untilMs, () => this.#wakeUp?.());
    });
  }
}
