import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { AnswerEntry, Entry, ThreadStatus, Timeline } from '../src/api/wire.ts';

/** One thread of a `ScriptedServer`, and whoever reads it. */
export class ScriptedThread {
  readonly #id: string;
  readonly #entries = new Map<string, { entry: Entry; revision: number }>();
  readonly #readers = new Set<ServerResponse>();
  readonly #left = new EventEmitter();
  #status: ThreadStatus = 'idle';
  #revision = 0;
  /** The `Last-Event-ID` of each stream that was opened; 0 where there was none. */
  readonly resumedFrom: number[] = [];
  stopped: () => void = () => {};

  constructor(id: string) {
    this.#id = id;
  }

  timeline(): Timeline {
    const entries = Array.from(this.#entries.values(), ({ entry }) => entry);
    return { id: this.#id, binding: 'demo', status: this.#status, entries };
  }

  stream(response: ServerResponse, after: number): void {
    this.resumedFrom.push(after);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 100\n\n');
    for (const { entry, revision } of this.#entries.values()) {
      if (revision > after) response.write(frame('entry', entry, revision));
    }
    response.write(frame('status', { status: this.#status }, this.#revision));
    this.#readers.add(response);
    response.on('close', () => {
      this.#readers.delete(response);
      this.#left.emit('left');
    });
  }

  async readerLeft(): Promise<void> {
    await once(this.#left, 'left');
  }

  put(entry: Entry): void {
    this.#revision += 1;
    this.#entries.set(entry.id, { entry, revision: this.#revision });
    this.#tell(frame('entry', entry, this.#revision));
  }

  setStatus(status: ThreadStatus): void {
    this.#status = status;
    this.#revision += 1;
    this.#tell(frame('status', { status }, this.#revision));
  }

  /** An answer as it stands now. */
  answer(turnId: string, text: string, streaming: boolean, id = `a-${turnId}`): void {
    const entry: AnswerEntry = { id, kind: 'answer', turnId, text, streaming };
    this.put(entry);
  }

  #tell(text: string): void {
    for (const reader of this.#readers) reader.write(text);
  }
}

function frame(event: string, data: unknown, id: number): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
