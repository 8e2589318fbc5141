import { checkAnswer, type Given } from '../core/request/check-answer.ts';
import type { Entry } from '../core/thread/entry.ts';
import type { EntryId } from '../core/thread/ids.ts';
import type { Message } from '../core/thread/message.ts';
import { threadStatus } from '../core/thread/status.ts';
import type { Thread } from '../core/thread/thread.ts';
import { decide } from '../core/turn/decide.ts';
import type { TurnEvent } from '../core/turn/event.ts';
import type { Turn } from '../core/turn/turn.ts';
import type { Claim } from '../ports/store.ts';
import { Answer } from './answer.ts';
import { Answerers, type AnswerTaken } from './answerers.ts';
import { Batch } from './batch.ts';
import { firstTurn, firstTyped, newTurn, prefixOf } from './intake.ts';
import { LiveView } from './live-view.ts';
import type { WithoutMoment } from './perform.ts';
import { reportDecision } from './report.ts';
import { rulesOf } from './rules-of.ts';
import { UnderWay } from './under-way.ts';
import { chatOf, type World } from './world.ts';

/**
 * One claimed thread in memory, from which its turns are run: what has happened is decided, committed, shown, and only
 * then is the next step performed. One round at a time; what happens meanwhile waits for the next.
 */
export class Conversation {
  readonly #world: World;
  readonly #owner: string;
  readonly #quiet: () => void;
  readonly #view: LiveView;
  readonly #underWay: UnderWay;
  readonly #answerers: Answerers;
  #thread: Thread;
  #revision: number;
  #happened: TurnEvent[] = [];
  #answer: Answer | undefined;
  #mayPend = true;
  #rounds: Promise<void> | undefined;
  #state: 'open' | 'leaving' | 'gone' = 'open';

  /** `quiet` is called whenever nothing is left to do for now, and when the thread is lost to another courier. */
  constructor(world: World, owner: string, claim: Claim, quiet: () => void) {
    this.#world = world;
    this.#owner = owner;
    this.#quiet = quiet;
    this.#thread = claim.thread;
    this.#revision = claim.revision;
    this.#view = new LiveView(world.clock, () => this.#showLive());
    this.#answerers = new Answerers(world.store, claim.thread.id);
    this.#underWay = new UnderWay(world, claim.thread, {
      happened: (event) => this.#happen(event),
      textChanged: ({ reply }) => this.#view.changed(reply.length),
      stepsChanged: () => this.#showLive(),
    });
  }

  get idle(): boolean {
    return this.#thread.turn === undefined && this.#rounds === undefined;
  }

  get gone(): boolean {
    return this.#state === 'gone';
  }

  /** Goes on with what an earlier courier left, and with what is pending. */
  async takeUp(): Promise<void> {
    const { turn } = this.#thread;
    if (turn) {
      const timeline = await this.#world.store.timeline(this.#thread.id);
      this.#answer = new Answer(turn, timeline?.entries ?? []);
      this.#happen({ kind: 'taken-up' });
    }
    this.poke();
  }

  /** A message was accepted: it is seen before its turn comes. */
  showNews(entries: readonly Entry[], revision: number): void {
    this.#revision = Math.max(this.#revision, revision);
    this.#show(entries, false);
  }

  /** There may be new messages in the store. */
  poke(): void {
    this.#mayPend = true;
    this.#run();
  }

  stop(): void {
    const { turn } = this.#thread;
    this.#happen({ kind: 'stop-asked', ...(turn ? { turn: turn.id } : {}) });
  }

  /** Checked before it is taken, durable when this resolves, and decided once, whoever else answers in the same moment. */
  async answer(id: EntryId, given: Given): Promise<AnswerTaken> {
    if (this.#state !== 'open') return { kind: 'stopping' };
    const entry = this.#thread.turn?.request?.entry;
    if (entry?.id !== id || entry.state !== 'open') return this.#answerers.settled(id);
    const checked = checkAnswer(entry, given, rulesOf(this.#world, this.#thread.binding).interactions);
    if (checked.kind === 'forbidden') this.#happen({ kind: 'answer-refused', actor: given.actor });
    if (checked.kind !== 'complete') return checked;
    const { answers, approvals } = checked;
    const { actor } = given;
    const prefix = prefixOf(this.#world, this.#thread.binding, actor);
    const event = this.#momentOf({ kind: 'answer-given', actor, answers, approvals, prefix });
    const taken = this.#answerers.wait(event, id);
    this.#happened.push(event);
    this.#run();
    return taken;
  }

  /** Leaves the thread as it is committed: what runs at the agent runs on, and whoever takes the thread up follows it. */
  async leave(): Promise<void> {
    if (this.#state === 'open') this.#state = 'leaving';
    this.#underWay.end();
    while (this.#rounds !== undefined) await this.#rounds;
    this.#abandon();
    await this.#world.store.release(this.#thread.id, this.#owner);
  }

  #momentOf(event: WithoutMoment<TurnEvent>): TurnEvent {
    return { ...event, atMs: this.#world.clock.now(), chance: this.#world.ids.chance() } as TurnEvent;
  }

  #happen(event: WithoutMoment<TurnEvent>): void {
    if (this.#state === 'gone') return;
    this.#happened.push(this.#momentOf(event));
    this.#run();
  }

  #run(): void {
    if (this.#rounds || this.#state === 'gone') return;
    // What happens in one go, like all that one chunk of a stream brings, is committed in one.
    this.#rounds = Promise.resolve()
      .then(() => this.#runRounds())
      .then(() => {
        this.#rounds = undefined;
        if (this.#hasWork()) this.#run();
        else this.#quiet();
      });
  }

  async #runRounds(): Promise<void> {
    try {
      while (this.#hasWork()) await this.#round();
    } catch (error) {
      // Nothing of this round was written, so nothing of it may be performed: whoever takes the thread up starts from the last commit.
      const why = error instanceof Error ? error.message : 'unknown';
      this.#world.observe({ event: 'store-failed', thread: this.#thread.id, why });
      this.#abandon();
    }
  }

  #hasWork(): boolean {
    if (this.#state === 'gone') return false;
    return this.#happened.length > 0 || (this.#mayPend && this.#takesMessages(this.#thread));
  }

  /** A message starts the next turn, or is typed while a person's word is awaited. */
  #takesMessages({ turn }: Thread): boolean {
    return this.#state === 'open' && (!turn || turn.step.kind === 'ask');
  }

  async #round(): Promise<void> {
    const batch = new Batch(this.#thread);
    const events = this.#happened.splice(0);
    for (const event of events) this.#decide(batch, event);
    if (this.#mayPend && this.#takesMessages(batch.thread)) await this.#takeNext(batch);
    if (batch.changed) await this.#commit(batch);
    this.#answerers.committed(events);
    if (batch.changed && this.#state === 'open') this.#underWay.goOn(this.#thread, this.#answer);
  }

  #decide(batch: Batch, event: TurnEvent): void {
    const { turn } = batch.thread;
    const decision = decide(batch.thread, event, rulesOf(this.#world, batch.thread.binding));
    if (event.kind === 'answer-given') {
      const isTaken = decision.requests?.some(({ state }) => state === 'answered') ?? false;
      this.#answerers.decided(event, isTaken);
    }
    const answer = this.#answer;
    const isEntry = event.kind === 'reply-grew' || event.kind === 'paused' || 'reply' in event;
    const isPaused = decision.thread.turn?.request?.entry.state === 'open';
    if (isEntry && answer && decision.outcome === undefined) batch.put(answer.changes(!isPaused));
    if (decision.thread === batch.thread || !turn) return;
    if (decision.outcome !== undefined) {
      batch.put(answer?.finish(decision.outcome === 'completed') ?? []);
      this.#answer = undefined;
      this.#view.stop();
      this.#mayPend = true;
    }
    if (decision.thread.turn?.step.kind === 'ask') this.#mayPend = true;
    batch.take(decision, turn.id, () => this.#world.ids.entry());
    reportDecision(this.#world, turn, decision, answer?.reply);
  }

  /** The store's order is the order of the turns. */
  async #takeNext(batch: Batch): Promise<void> {
    this.#mayPend = false;
    const stored = await this.#world.store.pending(this.#thread.id);
    const pending = stored.filter(({ id }) => !batch.taken.includes(id));
    if (batch.thread.turn) this.#takeTyped(batch, batch.thread.turn, pending);
    else this.#takeFirst(batch, pending);
  }

  #takeTyped(batch: Batch, { request }: Turn, pending: readonly Message[]): void {
    const typed = request && firstTyped(this.#world, batch.thread.binding, pending, request.askedAtMs);
    if (typed) this.#decide(batch, this.#momentOf({ kind: 'typed', typed }));
  }

  #takeFirst(batch: Batch, pending: readonly Message[]): void {
    const { binding } = batch.thread;
    const first = firstTurn(pending);
    const turn = first && newTurn(this.#world, binding, first.message, first.asides);
    if (!turn) return;
    const event = this.#momentOf({ kind: 'turn-taken', turn });
    const { thread } = decide(batch.thread, event, rulesOf(this.#world, binding));
    batch.begin(thread, [...first.asides, first.message]);
    this.#answer = new Answer(turn, []);
    this.#world.observe({ event: 'turn-began', thread: thread.id, turn: turn.id, trace: turn.traceId });
  }

  async #commit(batch: Batch): Promise<void> {
    const { thread, entries, taken, audit } = batch;
    const status = threadStatus(thread);
    const owes = thread.turn !== undefined;
    const commit = { owner: this.#owner, thread, status, owes, entries, taken, audit };
    const committed = await this.#world.store.commit(commit);
    if (committed.kind === 'lost') {
      this.#world.observe({ event: 'lease-lost', thread: thread.id });
      this.#abandon();
      return;
    }
    this.#thread = thread;
    this.#revision = committed.revision;
    this.#answer?.committed(entries);
    this.#show(entries, false);
  }

  /** An entry takes its place with a commit; from then on its text shows as it comes. */
  #showLive(): void {
    const answer = this.#answer;
    if (!answer || this.#state !== 'open') return;
    if (answer.hasNew) {
      if (!answer.asked) this.#happen({ kind: 'reply-grew' });
      answer.asked = true;
      return;
    }
    const entry = answer.live();
    if (entry) this.#show([entry], true);
  }

  #show(entries: readonly Entry[], live: boolean): void {
    const { id: thread, binding } = this.#thread;
    const update = { thread, binding, entries, status: threadStatus(this.#thread), revision: this.#revision, live };
    chatOf(this.#world, binding).show(update);
  }

  #abandon(): void {
    this.#state = 'gone';
    this.#underWay.end();
    this.#view.stop();
    this.#happened = [];
    this.#answerers.abandon();
  }
}
