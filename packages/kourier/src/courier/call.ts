import type { Status } from '../core/reply/agent-event.ts';
import type { OpenRequest } from '../core/request/open-request.ts';
import type { Dialect } from '../core/request/pause.ts';
import { readPause } from '../core/request/read-pause.ts';
import type { Thread } from '../core/thread/thread.ts';
import type { Turn } from '../core/turn/turn.ts';
import type { Answer } from './answer.ts';
import { type Heard, Listening } from './listening.ts';
import { type Performed, perform, type Result } from './perform.ts';
import { reportResult } from './report.ts';
import { rulesOf } from './rules-of.ts';
import type { World } from './world.ts';

export interface CallOf {
  readonly step: Performed;
  readonly thread: Thread;
  readonly turn: Turn;
  readonly answer: Answer;
}

/** One step under way: the call to the agent, what is heard on it, and its end. Once it is called off, nothing more is heard. */
export class Call {
  readonly #abort = new AbortController();
  #over = false;

  constructor(
    world: World,
    { step, thread, turn, answer }: CallOf,
    heard: Heard & { ended: (result: Result) => void },
  ) {
    const { timings, dialect } = rulesOf(world, thread.binding);
    if (step.kind === 'answer' && turn.request) answer.reply.beginAnswer(isPauseOf(turn.request, turn, dialect));
    if (step.kind === 'send' || step.kind === 'answer' || step.kind === 'subscribe') {
      world.observe({ event: 'stream-opened', thread: thread.id, turn: turn.id });
    }
    const listening = new Listening(answer.reply, world.clock, this.#unlessOver(heard), {
      close: () => this.#abort.abort(),
      graceMs: timings.streamDropDelayMs,
      lastSeen: turn.lastSeen,
    });
    const { sink, lifeAtMs } = listening;
    const performance = { thread, turn, reply: answer.reply, sink, lifeAtMs, signal: this.#abort.signal };
    void perform(world, step, performance).then((result) => {
      listening.ended();
      reportResult(world, thread, turn, result);
      if (this.#over) return;
      this.#over = true;
      heard.ended(result);
    });
  }

  callOff(): void {
    this.#over = true;
    this.#abort.abort();
  }

  #unlessOver(heard: Heard): Heard {
    const live =
      <Arguments extends unknown[]>(tell: (...given: Arguments) => void) =>
      (...given: Arguments) => {
        if (!this.#over) tell(...given);
      };
    return {
      named: live(heard.named),
      paused: live(heard.paused),
      textChanged: live(heard.textChanged),
      stepsChanged: live(heard.stepsChanged),
      late: live(heard.late),
    };
  }
}

/** The pause that an answer goes to: seen again, it says nothing new. */
function isPauseOf({ name, says }: OpenRequest, { taskId }: Turn, dialect: Dialect): (status: Status) => boolean {
  return (status) => {
    if (status.state !== 'input-required') return false;
    const read = readPause(status, taskId, dialect);
    return read.kind === 'pause' && read.pause.name === name && read.pause.says === says;
  };
}
