import type { MessageId } from '../core/thread/ids.ts';
import { type Message, messageEntry } from '../core/thread/message.ts';
import { promptText } from '../core/thread/prompt.ts';
import { threadStatus } from '../core/thread/status.ts';
import type { Thread } from '../core/thread/thread.ts';
import { decide } from '../core/turn/decide.ts';
import { nextWakeMs } from '../core/turn/decide-send.ts';
import type { TurnEvent } from '../core/turn/event.ts';
import type { Step } from '../core/turn/turn.ts';
import type { Claim } from '../ports/store.ts';
import { Answer } from './answer.ts';
import { Batch } from './batch.ts';
import { Listening } from './listening.ts';
import { LiveView } from './live-view.ts';
import { perform, type WithoutMoment } from './perform.ts';
import { reportDecision, reportResult } from './report.ts';
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
  #thread: Thread;
  #revision: number;
  #happened: TurnEvent[] = [];
  #answer: Answer | undefined;
  #performed: Step | undefined;
  #call: AbortController | undefined;
  #callOffWake: (() => void) | undefined;
  #mayPend = true;
  #rounds: Promise<void> | undefined;
  #state: 'open' | 'leaving' | 'gone' = 'open';

  /** `quiet` is called whenever the thread owes nothing more, and when it is lost to another courier. */
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

  /** Leaves the thread as it is committed: what runs at the agent runs on, and whoever takes the thread up follows it. */
  async leave(): Promise<void> {
    if (this.#state === 'open') this.#state = 'leaving';
    this.#endCall();
    while (this.#rounds) await this.#rounds;
    this.#abandon();
    await this.#world.store.release(this.#thread.id, this.#owner);
  }

  #happen(event: WithoutMoment<TurnEvent>): void {
    if (this.#state === 'gone') return;
    this.#happened.push({ ...event, atMs: this.#world.clock.now(), chance: this.#world.ids.chance() } as TurnEvent);
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
    return this.#happened.length > 0 || (this.#state === 'open' && this.#mayPend && !this.#thread.turn);
  }

  async #round(): Promise<void> {
    const batch = new Batch(this.#thread);
    for (const event of this.#happened.splice(0)) this.#decide(batch, event);
    if (!batch.thread.turn && this.#mayPend && this.#state === 'open') await this.#takeNext(batch);
    if (!batch.changed) return;
    await this.#commit(batch);
    if (this.#state === 'open') this.#performNext();
  }

  #decide(batch: Batch, event: TurnEvent): void {
    const { turn } = batch.thread;
    const decision = decide(batch.thread, event, this.#world.registry.current().timings);
    const answer = this.#answer;
    if (event.kind === 'reply-grew' && answer) batch.put(answer.changes());
    if (decision.thread === batch.thread || !turn) return;
    if (decision.outcome !== undefined) {
      batch.put(answer?.finish(decision.outcome === 'completed') ?? []);
      this.#answer = undefined;
      this.#view.stop();
      this.#mayPend = true;
    }
    batch.addNotices(decision.notices, turn.id, () => this.#world.ids.entry());
    batch.thread = decision.thread;
    batch.changed = true;
    reportDecision(this.#world, turn, decision, answer?.reply);
  }

  /** The store's order is the order of the turns: the next message, with the asides before it as its context. */
  async #takeNext(batch: Batch): Promise<void> {
    this.#mayPend = false;
    const pending = await this.#world.store.pending(this.#thread.id);
    const left = pending.filter(({ id }) => !batch.taken.includes(id));
    const at = left.findIndex(({ turnId }) => turnId !== undefined);
    const message = left[at];
    if (message) this.#begin(batch, message, left.slice(0, at));
  }

  #begin(batch: Batch, message: Message, asides: readonly Message[]): void {
    const { id, turnId, actor, atMs } = message;
    if (turnId === undefined) return;
    const { clock, ids, observe } = this.#world;
    const traceId = message.traceId ?? ids.trace();
    const turn = {
      id: turnId,
      messageId: id as string as MessageId,
      text: promptText(message, asides, chatOf(this.#world, batch.thread.binding).displayName),
      ...(actor === undefined ? {} : { actor }),
      traceId,
      acceptedAtMs: atMs,
    };
    const event: TurnEvent = { kind: 'turn-taken', turn, atMs: clock.now(), chance: ids.chance() };
    batch.thread = decide(batch.thread, event, this.#world.registry.current().timings).thread;
    batch.taken.push(...asides.map((aside) => aside.id), id);
    batch.changed = true;
    this.#answer = new Answer(turnId, []);
    observe({ event: 'turn-began', thread: batch.thread.id, turn: turnId, trace: traceId });
  }

  async #commit(batch: Batch): Promise<void> {
    const { thread, entries, taken } = batch;
    const status = threadStatus(thread);
    const owes = thread.turn !== undefined;
    const committed = await this.#world.store.commit({ owner: this.#owner, thread, status, owes, entries, taken });
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

  /** Performs the committed step, unless it is the one that is under way. */
  #performNext(): void {
    const { turn } = this.#thread;
    if (turn?.step !== this.#performed) {
      this.#endCall();
      this.#performed = turn?.step;
      if (turn && turn.step.kind !== 'wait') this.#perform(turn.step);
    }
    if (turn?.step.kind === 'wait' && !this.#callOffWake) this.#armWake();
  }

  #armWake(): void {
    const { clock, registry } = this.#world;
    const { turn } = this.#thread;
    const atMs = turn && nextWakeMs(turn, registry.current().timings.busyNoticeAfterMs);
    if (atMs === undefined) return;
    this.#callOffWake = clock.wakeAt(atMs, () => {
      this.#callOffWake = undefined;
      this.#happen({ kind: 'woke' });
    });
  }

  #perform(step: Exclude<Step, { kind: 'wait' }>): void {
    const { turn } = this.#thread;
    const answer = this.#answer;
    if (!turn || !answer) return;
    const thread = this.#thread;
    const call = new AbortController();
    this.#call = call;
    const listening = this.#listen(answer, call, turn.lastSeen);
    if (step.kind === 'send' || step.kind === 'subscribe') {
      this.#world.observe({ event: 'stream-opened', thread: thread.id, turn: turn.id });
    }
    const { sink, lifeAtMs } = listening;
    const performance = { thread, turn, reply: answer.reply, sink, lifeAtMs, signal: call.signal };
    void perform(this.#world, step, performance).then((result) => {
      listening.ended();
      reportResult(this.#world, thread, turn, result);
      if (this.#call !== call) return;
      this.#call = undefined;
      if (result.kind !== 'stream-ended') this.#noteNames(answer);
      this.#happen(result);
    });
  }

  #listen(answer: Answer, call: AbortController, lastSeen: string | undefined): Listening {
    const isCurrent = () => this.#call === call;
    const heard = {
      named: () => isCurrent() && this.#noteNames(answer),
      textChanged: () => isCurrent() && this.#view.changed(answer.reply.length),
      stepsChanged: () => isCurrent() && this.#showLive(),
      late: () => this.#world.observe({ event: 'late-event-dropped', thread: this.#thread.id, turn: answer.turn }),
    };
    const graceMs = this.#world.registry.current().timings.streamDropDelayMs;
    return new Listening(answer.reply, this.#world.clock, heard, { close: () => call.abort(), graceMs, lastSeen });
  }

  #noteNames({ reply: { taskId, contextId } }: Answer): void {
    const { turn, contextId: known } = this.#thread;
    if ((taskId === undefined || taskId === turn?.taskId) && (contextId === undefined || contextId === known)) return;
    this.#happen({
      kind: 'named',
      ...(taskId === undefined ? {} : { taskId }),
      ...(contextId === undefined ? {} : { contextId }),
    });
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

  #show(entries: Parameters<ReturnType<typeof chatOf>['show']>[0]['entries'], live: boolean): void {
    const { id: thread, binding } = this.#thread;
    const update = { thread, binding, entries, status: threadStatus(this.#thread), revision: this.#revision, live };
    chatOf(this.#world, binding).show(update);
  }

  #endCall(): void {
    const call = this.#call;
    this.#call = undefined;
    call?.abort();
    this.#callOffWake?.();
    this.#callOffWake = undefined;
  }

  #abandon(): void {
    this.#state = 'gone';
    this.#endCall();
    this.#view.stop();
    this.#happened = [];
  }
}
