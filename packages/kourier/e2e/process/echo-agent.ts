import { setImmediate } from 'node:timers/promises';
import { type ServedAgent, serveAgent, type Turn } from '@agentkourier/agent';

/** One turn that ran at the agent. */
interface Run {
  readonly messageId: string;
  readonly contextId: string;
  /** What the person wrote, without who it was. */
  readonly words: string;
}

/** What an agent answers to `words`, in many chunks. */
export const echo = (words: string): string => `${`${words} `.repeat(CHUNKS)}.`;
const CHUNKS = 25;

/**
 * An agent that keeps the contract and outlives the product: it knows a message that comes again, keeps its tasks, and
 * writes down what ran. A turn whose words begin with `hold` stops in mid-answer until `release` is called.
 */
export class EchoAgent {
  readonly runs: Run[] = [];
  /** Tasks that somebody had cancelled. */
  cancels = 0;
  readonly #held = Promise.withResolvers<void>();
  #served: ServedAgent | undefined;
  #closing = false;

  static async start(t: { after(end: () => unknown): void }): Promise<EchoAgent> {
    const agent = new EchoAgent();
    const turn = (of: Turn) => agent.#turn(of);
    agent.#served = await serveAgent({ name: 'Echo', description: 'Says it many times.', turn });
    t.after(() => agent.#close());
    return agent;
  }

  get url(): string {
    return this.#served?.url ?? '';
  }

  release(): void {
    this.#held.resolve();
  }

  async *#turn({ text, messageId, contextId, signal }: Turn): AsyncGenerator<string> {
    const words = text.slice(text.indexOf('\n') + 1);
    this.runs.push({ messageId, contextId, words });
    signal.addEventListener('abort', () => {
      if (!this.#closing && !done) this.cancels += 1;
    });
    let done = false;
    for (let chunk = 0; chunk < CHUNKS; chunk += 1) {
      yield `${words} `;
      if (chunk === 0 && words.startsWith('hold')) await this.#held.promise;
      await setImmediate();
    }
    yield '.';
    done = true;
  }

  async #close(): Promise<void> {
    this.#closing = true;
    await this.#served?.close();
  }
}
