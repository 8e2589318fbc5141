import type { AgentEvent, Status } from '../core/reply/agent-event.ts';
import type { Reply } from '../core/reply/reply.ts';
import { isPaused, type Settled } from '../core/reply/task-state.ts';
import type { EventSink } from '../ports/agent.ts';
import type { Clock } from '../ports/clock.ts';
import { fingerprint } from './perform.ts';

/** What a stream tells the one who listens to it. */
export interface Heard {
  /** The reply has a task or a context that it had not. */
  readonly named: () => void;
  /** The task is paused, or paused with a whole task now. */
  readonly paused: (status: Status) => void;
  readonly textChanged: () => void;
  readonly stepsChanged: () => void;
  readonly late: () => void;
}

/**
 * Folds a stream into a reply and says when it is enough: with a whole turn, a whole settled task,
 * or too much of it. A status that settles without its task leaves the stream `graceMs` to bring it; then we close.
 * A pause is told at once (decision 2).
 */
export class Listening {
  readonly #reply: Reply;
  readonly #clock: Clock;
  readonly #heard: Heard;
  readonly #close: () => void;
  readonly #graceMs: number;
  /** The last snapshot that was read: the same again is no sign of life. */
  readonly #lastSeen: string | undefined;
  #callOffGrace: (() => void) | undefined;
  #lifeAtMs: number | undefined;
  #told: Settled | undefined;
  #toldLate = false;

  constructor(
    reply: Reply,
    clock: Clock,
    heard: Heard,
    options: { close: () => void; graceMs: number; lastSeen: string | undefined },
  ) {
    this.#reply = reply;
    this.#clock = clock;
    this.#heard = heard;
    this.#close = options.close;
    this.#graceMs = options.graceMs;
    this.#lastSeen = options.lastSeen;
  }

  readonly lifeAtMs = (): number | undefined => this.#lifeAtMs;

  readonly sink: EventSink = (event) => {
    const reply = this.#reply;
    const { taskId, contextId } = reply;
    const applied = reply.apply(event);
    if (applied === 'late') this.#tellLate();
    else if (applied !== 'ignored' && !this.#isOld(event)) this.#lifeAtMs = this.#clock.now();
    if (reply.taskId !== taskId || reply.contextId !== contextId) this.#heard.named();
    if (applied === 'text') this.#heard.textChanged();
    if (applied === 'steps') this.#heard.stepsChanged();
    this.#tellPause();
    return this.#isEnough() ? 'enough' : 'more';
  };

  ended(): void {
    this.#callOffGrace?.();
  }

  /** Once: whoever goes on after the end may do so as fast as the wire carries. */
  #tellLate(): void {
    if (!this.#toldLate) this.#heard.late();
    this.#toldLate = true;
  }

  #tellPause(): void {
    const { settled } = this.#reply;
    if (!settled || settled === this.#told || !isPaused(settled.status.state)) return;
    this.#told = settled;
    this.#heard.paused(settled.status);
  }

  #isOld(event: AgentEvent): boolean {
    return event.kind === 'task' && this.#lastSeen !== undefined && fingerprint(event.task) === this.#lastSeen;
  }

  #isEnough(): boolean {
    const { settled, message, overLimit } = this.#reply;
    if (message !== undefined || overLimit) return true;
    if (!settled) return false;
    if (settled.full) return true;
    this.#callOffGrace ??= this.#clock.wakeAt(this.#clock.now() + this.#graceMs, this.#close);
    return false;
  }
}
