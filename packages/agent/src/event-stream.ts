import type { ServerResponse } from 'node:http';
import { AGENT_LIMITS } from './limits.ts';
import type { LiveTask, Watcher } from './live-task.ts';

export interface StreamOptions {
  /** The request's id as JSON, repeated on every frame. */
  readonly id: string;
  readonly historyLength: number | undefined;
}

/**
 * One reader of a task's server-sent events: the task as it stands, the news, and the whole task at the end.
 *
 * A reader that falls behind costs a bounded buffer: past it the news is dropped, and when the buffer has drained the
 * reader gets the whole task in place of what it missed. A reader that leaves takes nothing with it but itself.
 */
export class EventStream implements Watcher {
  readonly #response: ServerResponse;
  readonly #task: LiveTask;
  readonly #options: StreamOptions;
  /** A whole task may exceed the buffer; it does not count against the news behind it. */
  #ceiling: number = AGENT_LIMITS.streamBufferBytes;
  #behind = false;
  #heartbeatsWithoutDrain = 0;

  constructor(response: ServerResponse, task: LiveTask, options: StreamOptions) {
    this.#response = response;
    this.#task = task;
    this.#options = options;
  }

  /** Writes the head and the first frame, and follows the task for as long as it runs and the reader stays. */
  open(): void {
    const response = this.#response;
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    this.#writeTask();
    if (this.#task.ended) {
      response.end();
      return;
    }
    response.on('drain', () => this.#drained());
    response.once('close', this.#task.watch(this));
  }

  frame(result: string): void {
    if (!this.#behind && this.#response.writableLength > this.#ceiling) this.#behind = true;
    if (!this.#behind) this.#write(result);
  }

  ended(): void {
    if (this.#behind || this.#response.destroyed) return;
    this.#writeTask();
    this.#response.end();
  }

  /** Called on a regular beat: a comment for an idle connection, the end for one that takes nothing any more. */
  beat(): void {
    if (this.#response.destroyed) return;
    const waiting = this.#response.writableLength > 0;
    this.#heartbeatsWithoutDrain = waiting ? this.#heartbeatsWithoutDrain + 1 : 0;
    if (this.#heartbeatsWithoutDrain > AGENT_LIMITS.stalledHeartbeats) this.#response.destroy();
    else if (!waiting && !this.#response.writableEnded) this.#response.write(': still here\n\n');
  }

  #drained(): void {
    this.#heartbeatsWithoutDrain = 0;
    this.#ceiling = AGENT_LIMITS.streamBufferBytes;
    if (!this.#behind) return;
    this.#behind = false;
    this.#writeTask();
    if (this.#task.ended) this.#response.end();
  }

  #writeTask(): void {
    const { historyLength } = this.#options;
    const task = JSON.stringify({ task: this.#task.snapshot({ historyLength }) });
    this.#ceiling = AGENT_LIMITS.streamBufferBytes + Buffer.byteLength(task);
    this.#write(task);
  }

  #write(result: string): void {
    if (this.#response.destroyed) return;
    this.#response.write(`data: {"jsonrpc":"2.0","id":${this.#options.id},"result":${result}}\n\n`);
  }
}
