import type { AgentEvent } from '../src/core/reply/agent-event.ts';
import type { CallOptions, EventSink, Failure, StreamEnd } from '../src/ports/agent.ts';
import type { Pipe } from './agent-task.ts';
import type { Life } from './machine.ts';
import { type Network, NO_HEADERS } from './network.ts';
import type { Setting } from './setting.ts';

/** The client's end of one stream: events arrive in order, late, or not at all, and it ends once. */
export class SimStream {
  readonly #setting: Setting;
  readonly #life: Life;
  readonly #network: Network;
  readonly #sink: EventSink;
  readonly #ended: (end: StreamEnd) => void;
  readonly #pipes = new Set<Pipe>();
  readonly #queue: (() => void)[] = [];
  readonly #unwatch: (pipe: Pipe) => void;
  #open = true;
  #heard = 0;
  #lastArrivalMs = 0;
  #callOffTimer: () => void;
  /** After so many events it breaks or falls silent. */
  readonly #breaksAfter: number;
  readonly #silentAfter: number;

  constructor(
    setting: Setting,
    life: Life,
    network: Network,
    of: { sink: EventSink; options: CallOptions; ended: (end: StreamEnd) => void; unwatch: (pipe: Pipe) => void },
  ) {
    this.#setting = setting;
    this.#life = life;
    this.#network = network;
    this.#sink = of.sink;
    this.#ended = of.ended;
    this.#unwatch = of.unwatch;
    const { cut, silent } = setting.swarm.network;
    this.#breaksAfter = network.chances.chance(cut) ? network.chances.between(0, 6) : Number.POSITIVE_INFINITY;
    this.#silentAfter = network.chances.chance(silent) ? network.chances.between(0, 6) : Number.POSITIVE_INFINITY;
    this.#callOffTimer = network.headersTimer(() => this.end(NO_HEADERS));
    const { signal } = of.options;
    if (signal.aborted) this.end({ kind: 'closed' });
    signal.addEventListener('abort', () => this.end({ kind: 'closed' }), { once: true });
    life.onEnd(() => this.end({ kind: 'closed' }));
  }

  get open(): boolean {
    return this.#open;
  }

  /** The server's end, made when the request has arrived there. `lost`: the way back is gone. */
  pipe(back: 'open' | 'lost'): Pipe {
    if (back === 'lost') {
      this.#network.later(() => this.end({ kind: 'unknown', why: 'connection lost' }));
      return { event() {}, close() {}, fail() {} };
    }
    this.#arrive(() => this.#armIdle());
    const pipe: Pipe = {
      event: (event) => this.#arrive(() => this.#hear(event)),
      close: () => this.#arrive(() => this.end({ kind: 'closed' })),
      fail: (failure) => this.#arrive(() => this.#fail(failure)),
    };
    this.#pipes.add(pipe);
    return pipe;
  }

  end(end: StreamEnd): void {
    if (!this.#open) return;
    this.#open = false;
    this.#callOffTimer();
    for (const pipe of this.#pipes) this.#unwatch(pipe);
    if (this.#life.alive) this.#ended(end);
  }

  /** In order: nothing overtakes what was sent before it. */
  #arrive(run: () => void): void {
    const { scheduler } = this.#setting;
    this.#lastArrivalMs = Math.max(this.#lastArrivalMs, scheduler.nowMs + this.#network.latencyMs());
    this.#queue.push(run);
    scheduler.at(this.#lastArrivalMs, () => {
      const first = this.#queue.shift();
      if (this.#open && this.#life.alive) first?.();
    });
  }

  #hear(event: AgentEvent): void {
    if (this.#heard >= this.#silentAfter) return this.#setting.mark('stream-silent');
    if (this.#heard >= this.#breaksAfter) {
      this.#setting.mark('stream-cut');
      return this.#fail({ kind: 'unknown', why: 'broken' });
    }
    this.#heard++;
    this.#armIdle();
    if (this.#sink(event) === 'enough') this.end({ kind: 'closed' });
  }

  #fail(failure: Failure): void {
    this.end(this.#heard > 0 ? { kind: 'cut', why: failure.why } : failure);
  }

  #armIdle(): void {
    this.#callOffTimer();
    this.#callOffTimer = this.#setting.scheduler.after(this.#setting.swarm.timings.streamIdleMs, () => {
      this.#setting.mark('stream-idle');
      this.#fail({ kind: 'unknown', why: 'silent' });
    });
  }
}
