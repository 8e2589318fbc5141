import type { Status } from '../core/reply/agent-event.ts';
import type { Thread } from '../core/thread/thread.ts';
import type { TurnEvent } from '../core/turn/event.ts';
import type { Step, Turn } from '../core/turn/turn.ts';
import { nextWakeMs } from '../core/turn/wake.ts';
import type { Answer } from './answer.ts';
import { Call } from './call.ts';
import type { WithoutMoment } from './perform.ts';
import { rulesOf } from './rules-of.ts';
import type { World } from './world.ts';

interface Told {
  readonly happened: (event: WithoutMoment<TurnEvent>) => void;
  readonly textChanged: (answer: Answer) => void;
  readonly stepsChanged: () => void;
}

/** What is under way for a thread: the call that its committed step is, and the next moment to wake at. */
export class UnderWay {
  readonly #world: World;
  readonly #told: Told;
  #thread: Thread;
  #step: Step | undefined;
  #call: Call | undefined;
  #callOffWake: (() => void) | undefined;

  constructor(world: World, thread: Thread, told: Told) {
    this.#world = world;
    this.#thread = thread;
    this.#told = told;
  }

  /** Performs the step of a thread that was committed, unless it is the one that is under way. */
  goOn(thread: Thread, answer: Answer | undefined): void {
    this.#thread = thread;
    const { turn } = thread;
    if (turn?.step !== this.#step) {
      this.end();
      this.#step = turn?.step;
      if (turn && answer) this.#perform(turn, answer);
    }
    if (turn && !this.#callOffWake) this.#armWake(turn);
  }

  /** Calls off what is under way: nothing more is heard of it. */
  end(): void {
    this.#call?.callOff();
    this.#call = undefined;
    this.#callOffWake?.();
    this.#callOffWake = undefined;
  }

  #perform(turn: Turn, answer: Answer): void {
    const { step } = turn;
    if (step.kind === 'wait' || step.kind === 'ask') return;
    const { happened, textChanged, stepsChanged } = this.#told;
    this.#call = new Call(
      this.#world,
      { step, thread: this.#thread, turn, answer },
      {
        named: () => this.#noteNames(answer),
        paused: (status: Status) => happened({ kind: 'paused', status }),
        textChanged: () => textChanged(answer),
        stepsChanged,
        late: () => this.#world.observe({ event: 'late-event-dropped', thread: this.#thread.id, turn: answer.turn }),
        ended: (result) => {
          this.#call = undefined;
          if (result.kind !== 'stream-ended') this.#noteNames(answer);
          happened(result);
        },
      },
    );
  }

  #armWake(turn: Turn): void {
    const { clock } = this.#world;
    const atMs = nextWakeMs(turn, rulesOf(this.#world, this.#thread.binding).timings.busyNoticeAfterMs);
    if (atMs === undefined) return;
    this.#callOffWake = clock.wakeAt(atMs, () => {
      this.#callOffWake = undefined;
      this.#told.happened({ kind: 'woke' });
    });
  }

  #noteNames({ reply: { taskId, contextId } }: Answer): void {
    const { turn, contextId: known } = this.#thread;
    if ((taskId === undefined || taskId === turn?.taskId) && (contextId === undefined || contextId === known)) return;
    const ids = { ...(taskId === undefined ? {} : { taskId }), ...(contextId === undefined ? {} : { contextId }) };
    this.#told.happened({ kind: 'named', ...ids });
  }
}
