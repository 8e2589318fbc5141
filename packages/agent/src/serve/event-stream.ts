import { AGENT_LIMITS } from '../limits.ts';
import { type FollowedTask, News, type Watcher } from '../task/live-task.ts';
import { printTask, type TaskRecord } from '../task/task-record.ts';
import type { Format, Moment } from './format.ts';
import type { Sink } from './sink.ts';

export interface StreamOptions {
  readonly format: Format;
  readonly historyLength: number | undefined;
}

const HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/**
 * One reader of a task's server-sent events: the task as it stands, the news, and the whole task when it ends or pauses.
 *
 * A reader that falls behind costs a bounded buffer: past it the news is dropped, and when the buffer has drained the
 * reader gets the whole task in place of what it missed. A reader that leaves takes nothing with it but itself.
 */
export class EventStream implements Watcher {
  readonly #sink: Sink;
  readonly #task: TaskRecord;
  readonly #live: FollowedTask | undefined;
  readonly #format: Format;
  readonly #historyLength: number | undefined;
  /** A whole task may exceed the buffer; it does not count against the news behind it. */
  #ceiling: number = AGENT_LIMITS.streamBufferBytes;
  #behind = false;
  #heartbeatsWithoutDrain = 0;

  /** `live` is the task while a process works on it. */
  constructor(sink: Sink, task: TaskRecord, live: FollowedTask | undefined, { format, historyLength }: StreamOptions) {
    this.#sink = sink;
    this.#task = task;
    this.#live = live;
    this.#format = format;
    this.#historyLength = historyLength;
  }

  /**
   * Writes the head and the first frame, and follows the task for as long as it runs and the reader stays. It is among
   * the `open` streams until there is nothing to follow any more.
   */
  open(open: Set<EventStream>): void {
    open.add(this);
    this.#sink.onClose(() => {
      this.#live?.unwatch(this);
      open.delete(this);
    });
    this.#sink.head(200, HEADERS);
    this.#writeTask('start');
    if (!this.#follows()) {
      this.#sink.end();
      return;
    }
    this.#sink.onDrain(() => this.#drained());
    this.#watch();
  }

  news(news: News): void {
    if (!this.#behind && this.#sink.waiting > this.#ceiling) this.#behind = true;
    if (!this.#behind) this.#write(this.#format.frames(news, 'news'));
  }

  settled(): void {
    if (this.#behind || this.#sink.over) return;
    this.#writeTask('end');
    this.#sink.end();
  }

  lost(): void {
    this.#sink.destroy();
  }

  /** Called on a regular beat: a comment for an idle connection, the end for one that takes nothing any more. */
  beat(): void {
    if (this.#sink.over) return;
    const waits = this.#sink.waiting > 0;
    this.#heartbeatsWithoutDrain = waits ? this.#heartbeatsWithoutDrain + 1 : 0;
    if (this.#heartbeatsWithoutDrain > AGENT_LIMITS.stalledHeartbeats) this.#sink.destroy();
    else if (!waits) this.#sink.write(': still here\n\n');
  }

  #follows(): boolean {
    return this.#live?.running ?? false;
  }

  #watch(): void {
    if (!this.#sink.over) this.#live?.watch(this);
  }

  #drained(): void {
    this.#heartbeatsWithoutDrain = 0;
    this.#ceiling = AGENT_LIMITS.streamBufferBytes;
    if (!this.#behind || this.#sink.over) return;
    this.#behind = false;
    this.#writeTask('behind');
    // A pause that it missed may be over again by now.
    if (this.#follows()) this.#watch();
    else this.#sink.end();
  }

  #writeTask(moment: Moment): void {
    const task = printTask(this.#live ?? this.#task, { historyLength: this.#historyLength });
    const frames = this.#format.frames(new News({ task }), moment);
    this.#ceiling = AGENT_LIMITS.streamBufferBytes + Buffer.byteLength(frames);
    this.#write(frames);
  }

  #write(frames: string): void {
    if (frames !== '' && !this.#sink.over) this.#sink.write(frames);
  }
}
