import type { EventReader } from '../../src/http/fixtures/event-reader.ts';
import type { ThreadClient } from './thread-client.ts';

/**
 * One person with one thread, whatever becomes of the product: a message that was not answered for is written again
 * under its key, before the next one, until it is accepted.
 */
export class Writer {
  readonly name: string;
  /** The words of what was accepted, in order, with the turns that were promised for them. */
  readonly accepted: { readonly words: string; readonly turnId: string }[] = [];
  thread: string | undefined;
  readonly #binding: string;
  readonly #happened: () => void;

  /** `happened` is called for every answer and event that arrives. */
  constructor(name: string, binding: string, happened: () => void) {
    this.name = name;
    this.#binding = binding;
    this.#happened = happened;
  }

  /** Writes until it has had so many accepted. Rejects when the product is gone. */
  async write(client: ThreadClient, until: number): Promise<void> {
    while (this.accepted.length < until) {
      const words = `${this.name} ${this.accepted.length}`;
      const body = { text: words, actor: { id: 'u1' }, idempotencyKey: words };
      const answer =
        this.thread === undefined
          ? await client.post('/api/v1/threads', { ...body, binding: this.#binding })
          : await client.post(`/api/v1/threads/${this.thread}/messages`, body);
      this.thread ??= String(answer['thread']);
      this.accepted.push({ words, turnId: String(answer['turnId']) });
      this.#happened();
    }
  }

  /** Reads the thread's events until the product is gone. */
  async read(client: ThreadClient): Promise<void> {
    if (this.thread === undefined) return;
    const reader: EventReader = await client.events(this.thread);
    while ((await reader.next()) !== undefined) this.#happened();
  }
}
