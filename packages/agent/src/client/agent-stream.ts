import type { StreamEvent } from '@agentkourier/a2a/model';
import type { StreamResult } from './outcome.ts';

/** Yields the events of a call and returns what it came to; throws an AgentError when the agent refused it. */
export type Telling = AsyncGenerator<StreamEvent, StreamResult, undefined>;

/**
 * What an agent says while it works: events in their order, and at the end a result. The request goes out when the first
 * event is asked for. Iterating ends without an error when the stream breaks: the result says so. It throws an AgentError
 * when the agent refuses the call, and the signal's reason when that aborts.
 *
 *     for await (const event of stream) show(event)
 *     const result = await stream.result()
 *
 * Leaving the loop closes the connection; the task goes on, and can be followed.
 */
export class AgentStream implements AsyncIterable<StreamEvent> {
  readonly #events: AsyncGenerator<StreamEvent, void, undefined>;
  readonly #result = Promise.withResolvers<StreamResult>();
  #iterated = false;

  /** `left`: the result of a stream that its reader has left. */
  constructor(telling: Telling, left: () => StreamResult) {
    this.#result.promise.catch(() => undefined);
    this.#events = this.#tell(telling, left);
  }

  [Symbol.asyncIterator](): AsyncGenerator<StreamEvent, void, undefined> {
    this.#iterated = true;
    return this.#events;
  }

  /** What the call came to. Reads the stream to its end where nobody iterates; rejects as iterating throws. */
  result(): Promise<StreamResult> {
    if (!this.#iterated) void this.#drain();
    return this.#result.promise;
  }

  async #drain(): Promise<void> {
    this.#iterated = true;
    try {
      for await (const _ of this.#events);
    } catch {
      // The result says it.
    }
  }

  async *#tell(telling: Telling, left: () => StreamResult): AsyncGenerator<StreamEvent, void, undefined> {
    try {
      for (;;) {
        const { done, value } = await telling.next();
        if (done) return this.#result.resolve(value);
        yield value;
      }
    } catch (error) {
      this.#result.reject(error);
      throw error;
    } finally {
      this.#result.resolve(left());
      await telling.return(left());
    }
  }
}
