import type { ServerResponse } from 'node:http';
import type { ThreadId } from '../../core/thread/ids.ts';
import { Reading, type ReadingOptions } from './reading.ts';

export interface EventStreamsOptions extends ReadingOptions {
  readonly limits: ReadingOptions['limits'] & { readonly eventStreams: number; readonly heartbeatMs: number };
}

export type Opened = 'open' | 'missing' | 'too-many' | 'stopping';

/**
 * Every open event stream of this process. One heartbeat for all of them; a stream whose reader left is gone with its
 * connection, whether or not its thread ever changes again (case C179).
 */
export class EventStreams {
  readonly #options: EventStreamsOptions;
  readonly #open = new Map<ServerResponse, Reading>();
  #callOffHeartbeat: (() => void) | undefined;
  #stopping = false;

  constructor(options: EventStreamsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Nothing is written when the answer is not `open`. `after`: the revision that the reader has seen. */
  async open(outgoing: ServerResponse, thread: ThreadId, after: number): Promise<Opened> {
    const { clock, limits } = this.#options;
    if (this.#stopping) return 'stopping';
    if (this.#open.size >= limits.eventStreams) return 'too-many';
    const reading = new Reading(this.#options, thread, outgoing, after);
    const leave = (): void => {
      reading.leave();
      this.#open.delete(outgoing);
      if (this.#open.size === 0) this.#rest();
    };
    outgoing.once('close', leave);
    this.#open.set(outgoing, reading);
    try {
      const timeline = await reading.read();
      if (timeline === undefined || this.#stopping) {
        leave();
        return timeline === undefined ? 'missing' : 'stopping';
      }
      if (outgoing.destroyed) return 'open';
      reading.begin(timeline);
      this.#callOffHeartbeat ??= clock.wakeAt(clock.now() + limits.heartbeatMs, () => this.#beat());
      return 'open';
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Ends every stream; a browser's reader comes back by itself, to the next process. */
  close(): void {
    this.#stopping = true;
    this.#rest();
    for (const reading of this.#open.values()) reading.end();
  }

  #beat(): void {
    const { clock, limits } = this.#options;
    this.#callOffHeartbeat = clock.wakeAt(clock.now() + limits.heartbeatMs, () => this.#beat());
    for (const reading of this.#open.values()) reading.heartbeat();
  }

  #rest(): void {
    this.#callOffHeartbeat?.();
    this.#callOffHeartbeat = undefined;
  }
}
