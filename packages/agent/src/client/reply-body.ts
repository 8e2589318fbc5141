import type { ClientClock } from './client-clock.ts';
import { TransportError } from './client-error.ts';

export interface BodyReading {
  readonly clock: ClientClock;
  readonly idleMs: number;
  /** The caller's. */
  readonly signal: AbortSignal | undefined;
  /** Ends the HTTP call. */
  readonly cut: () => void;
  /** To be called once when nothing more is wanted. */
  readonly release: () => void;
}

const UTF8 = new TextDecoder();

/** The body of one response, chunk by chunk. Waiting is bounded, lasting is not (case C046). */
export class ReplyBody {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #reading: BodyReading;
  #closed = false;

  constructor(stream: ReadableStream<Uint8Array> | null, reading: BodyReading) {
    this.#reader = stream?.getReader();
    this.#reading = reading;
  }

  /** The next chunk, `undefined` at the end. Throws a TransportError, or the caller's own reason. */
  async read(idleMs = this.#reading.idleMs): Promise<Uint8Array | undefined> {
    if (this.#reader === undefined || this.#closed) return this.#end();
    const { clock, cut, signal } = this.#reading;
    let silent = false;
    const callOff = clock.after(idleMs, () => {
      silent = true;
      cut();
    });
    try {
      const { done, value } = await this.#reader.read();
      return done ? this.#end() : value;
    } catch {
      this.close();
      signal?.throwIfAborted();
      throw new TransportError(silent ? `Nothing came for ${idleMs} ms.` : 'The connection to the agent was lost.');
    } finally {
      callOff();
    }
  }

  /** The whole body, always as UTF-8 (case C043). */
  async text(maxBytes: number): Promise<string> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for (let chunk = await this.read(); chunk !== undefined; chunk = await this.read()) {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= maxBytes) continue;
      this.close();
      throw new TransportError(`The answer is larger than ${maxBytes} bytes.`);
    }
    return UTF8.decode(Buffer.concat(chunks));
  }

  /** Drops what is left, and its connection with it. */
  close(): void {
    if (this.#closed) return;
    this.#end();
    this.#reading.cut();
    this.#reader?.cancel().catch(() => undefined);
  }

  #end(): undefined {
    if (!this.#closed) this.#reading.release();
    this.#closed = true;
  }
}
