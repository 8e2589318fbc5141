import { checkAnswer, type Given } from '../core/request/check-answer.ts';
import type { Actor, Entry, RequestEntry } from '../core/thread/entry.ts';
import type { EntryId } from '../core/thread/ids.ts';
import { type Message, messageEntry } from '../core/thread/message.ts';
import { threadStatus } from '../core/thread/status.ts';
import type { Thread } from '../core/thread/thread.ts';
import { decide } from '../core/turn/decide.ts';
import type { TurnEvent } from '../core/turn/event.ts';
import type { Step } from '../core/turn/turn.ts';
import { nextWakeMs } from '../core/turn/wake.ts';
import type { Claim } from '../ports/store.ts';
import { Answer } from './answer.ts';
import { Batch } from './batch.ts';
import { Call } from './call.ts';
import { asTyped, firstTurn, newTurn, prefixOf } from './intake.ts';
import { LiveView } from './live-view.ts';
import type { WithoutMoment } from './perform.ts';
import { reportDecision } from './report.ts';
import { rulesOf } from './rules-of.ts';
import { chatOf, type World } from './world.ts';

/** What came of an answer that a person gave. */
export type AnswerTaken =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'settled'; readonly state: RequestEntry['state']; readonly by?: Actor }
  | { readonly kind: 'invalid'; readonly why: string }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'stopping' };

/**
 * One claimed thread in memory, from which its turns are run: what has happened is decided, committed, shown, and only
 * then is the next step performed. One round at a time; what happens meanwhile waits for the next.
 */
export class Conversation {
  readonly #world: World;
  readonly #owner: string;
  readonly #quiet: () => void;
  readonly #view: LiveView;
  #thread: Thread;
  #revision: number;
  #happened: TurnEvent[] = [];
  /** Who waits to hear whether their answer was the one. */
  readonly #answering = new Map<TurnEvent, (taken: AnswerTaken) => void>();
  #answer: Answer | undefined;
  #performed: Step | undefined;
  #call: Call | undefined;
  #callOffWake: (() => void) | undefined;
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
      this.#answer = new Answer(turn.id, timeline?.entries ?? []);
      this.#happen({ kind: 'taken-up' });
    }
    this.poke();
  }

  /** A message was accepted: it is seen before its turn comes. */
  showMessage(message: Message, revision: number): void {
    this.#revision = Math.max(this.#revision, revision);
    this.#show([messageEntry(message)], false);
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
    if (entry?.id !== id || entry.state !== 'open') return this.#settledAnswer(id);
    const checked = checkAnswer(entry, given);
    if (checked.kind !== 'complete') return checked;
    const { answers, approvals } = checked;
    const { actor } = given;
    const prefix = prefixOf(this.#world, this.#thread.binding, actor);
    return new Promise((resolve) => {
      const event = this.#momentOf({ kind: 'answer-given', actor, answers, approvals, prefix });
      this.#answering.set(event, resolve);
      this.#happened.push(event);
      this.#run();
    });
  }

  /** Leaves the thread as it is committed: what runs at the agent runs on, and whoever takes the thread up follows it. */
  async leave(): Promise<void> {
    if (this.#state === 'open') this.#state = 'leaving';
    this.#endCall();
    while (this.#rounds) await this.#rounds;
    this.#abandon();
    await this.#world.store.release(this.#thread.id, this.#owner);
  }

  async #settledAnswer(id: EntryId): Promise<AnswerTaken> {
    const timeline = await this.#world.store.timeline(this.#thread.id);
    const entry = timeline?.entries.find((known) => known.id === id);
    if (entry?.kind !== 'request') return { kind: 'missing' };
    return { kind: 'settled', state: entry.state, ...(entry.answer && { by: entry.answer.actor }) };
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
    this.#rounds = this.#runRounds().then(() => {
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
    this.#tellAnswerers(events);
    if (batch.changed && this.#state === 'open') this.#performNext();
  }

  #decide(batch: Batch, event: TurnEvent): void {
    const { turn } = batch.thread;
    const decision = decide(batch.thread, event, rulesOf(this.#world, batch.thread.binding));
    const answer = this.#answer;
    const isEntry = event.kind === 'reply-grew' || event.kind === 'paused';
    if (isEntry && answer) batch.put(answer.changes());
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
    const pending = await this.#world.store.pending(this.#thread.id);
    const first = firstTurn(pending.filter(({ id }) => !batch.taken.includes(id)));
    if (!first) return;
    const { message, asides } = first;
    const { binding } = batch.thread;
    if (batch.thread.turn) {
      const typed = asTyped(this.#world, binding, message);
      if (typed) this.#decide(batch, this.#momentOf({ kind: 'typed', typed }));
      return;
    }
    const turn = newTurn(this.#world, binding, message, asides);
    if (!turn) return;
    const event = this.#momentOf({ kind: 'turn-taken', turn });
    batch.begin(decide(batch.thread, event, rulesOf(this.#world, binding)).thread, [...asides, message]);
    this.#answer = new Answer(turn.id, []);
    this.#world.observe({ event: 'turn-began', thread: batch.thread.id, turn: turn.id, trace: turn.traceId });
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

  #tellAnswerers(events: readonly TurnEvent[]): void {
    const entry = this.#thread.turn?.request?.entry;
    for (const event of events) {
      const tell = this.#answering.get(event);
      if (!tell || event.kind !== 'answer-given') continue;
      this.#answering.delete(event);
      const by = entry?.answer?.actor;
      if (by === event.actor) tell({ kind: 'accepted' });
      else tell({ kind: 'settled', state: entry?.state ?? 'canceled', ...(by && { by }) });
    }
  }

  /** Performs the committed step, unless it is the one that is under way. */
  #performNext(): void {
    const { turn } = this.#thread;
    const answer = this.#answer;
    if (turn?.step !== this.#performed) {
      this.#endCall();
      this.#performed = turn?.step;
      const { step } = turn ?? {};
      if (turn && answer && step && step.kind !== 'wait' && step.kind !== 'ask') {
        const call = new Call(this.#world, { step, thread: this.#thread, turn, answer }, this.#heard(answer));
        this.#call = call;
      }
    }
    if (turn && !this.#callOffWake) this.#armWake(turn);
  }

  #heard(answer: Answer): ConstructorParameters<typeof Call>[2] {
    return {
      named: () => this.#noteNames(answer),
      paused: (status) => this.#happen({ kind: 'paused', status }),
      textChanged: () => this.#view.changed(answer.reply.length),
      stepsChanged: () => this.#showLive(),
      late: () => this.#world.observe({ event: 'late-event-dropped', thread: this.#thread.id, turn: answer.turn }),
      ended: (result) => {
        this.#call = undefined;
        if (result.kind !== 'stream-ended') this.#noteNames(answer);
        this.#happen(result);
      },
    };
  }

  #armWake(turn: NonNullable<Thread['turn']>): void {
    const { clock } = this.#world;
    const atMs = nextWakeMs(turn, rulesOf(this.#world, this.#thread.binding).timings.busyNoticeAfterMs);
    if (atMs === undefined) return;
    this.#callOffWake = clock.wakeAt(atMs, () => {
      this.#callOffWake = undefined;
      this.#happen({ kind: 'woke' });
    });
  }

  #noteNames({ reply: { taskId, contextId } }: Answer): void {
    const { turn, contextId: known } = this.#thread;
    if ((taskId === undefined || taskId === turn?.taskId) && (contextId === undefined || contextId === known)) return;
    const ids = { ...(taskId === undefined ? {} : { taskId }), ...(contextId === undefined ? {} : { contextId }) };
    this.#happen({ kind: 'named', ...ids });
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

  #endCall(): void {
    this.#call?.callOff();
    this.#call = undefined;
    this.#callOffWake?.();
    this.#callOffWake = undefined;
  }

  #abandon(): void {
    this.#state = 'gone';
    this.#endCall();
    this.#view.stop();
    this.#happened = [];
    for (const tell of this.#answering.values()) tell({ kind: 'stopping' });
    this.#answering.clear();
  }
}
