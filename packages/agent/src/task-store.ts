import { AGENT_LIMITS } from './limits.ts';
import { LiveTask } from './live-task.ts';
import type { WireMessage } from './wire.ts';

export interface StoreOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newId: () => string;
}

/**
 * The tasks of a served agent, in memory: those that run, and the latest that have ended. A message is known by its id
 * within its context; a first message, which has no context yet, by its id alone (case C131).
 */
export class TaskStore {
  readonly #options: StoreOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #running = new Map<string, LiveTask>();
  readonly #ended = new Set<Entry>();
  readonly #byMessage = new Map<string, LiveTask>();
  #endedCharacters = 0;
  #sequence = 0;

  constructor(options: StoreOptions) {
    this.#options = options;
  }

  /** The last number given to a change of a status. */
  get sequence(): number {
    return this.#sequence;
  }

  get full(): boolean {
    return this.#running.size >= AGENT_LIMITS.runningTasks;
  }

  get(id: string): LiveTask | undefined {
    return this.#entries.get(id)?.task;
  }

  all(): LiveTask[] {
    return Array.from(this.#entries.values(), (entry) => entry.task);
  }

  running(): LiveTask[] {
    return [...this.#running.values()];
  }

  runsIn(contextId: string): boolean {
    return this.#running.has(contextId);
  }

  /** The task that this message began, when it came before. */
  ofMessage(messageId: string, contextId: string | undefined): LiveTask | undefined {
    return this.#byMessage.get(messageKey(messageId, contextId));
  }

  /** Begins a task; the caller has seen that nothing runs in the context and that the store is not full. */
  begin(message: WireMessage, sentContextId: string | undefined): LiveTask {
    const id = this.#options.newId();
    const contextId = sentContextId ?? this.#options.newId();
    const task = new LiveTask({
      id,
      contextId,
      message: { ...message, contextId, taskId: id },
      clock: { now: this.#options.now, nextSequence: () => ++this.#sequence },
      onEnded: () => this.#retire(entry),
    });
    const keys = [messageKey(message.messageId, sentContextId), messageKey(message.messageId, contextId)];
    const entry: Entry = { task, keys, messageCharacters: JSON.stringify(message).length };
    this.#entries.set(id, entry);
    this.#running.set(contextId, task);
    for (const key of keys) this.#byMessage.set(key, task);
    return task;
  }

  #retire(entry: Entry): void {
    this.#running.delete(entry.task.contextId);
    this.#ended.add(entry);
    this.#endedCharacters += weight(entry);
    for (const oldest of this.#ended) {
      const fits =
        this.#endedCharacters <= AGENT_LIMITS.finishedCharacters && this.#ended.size <= AGENT_LIMITS.finishedTasks;
      if (fits) break;
      this.#forget(oldest);
    }
  }

  #forget(entry: Entry): void {
    this.#ended.delete(entry);
    this.#endedCharacters -= weight(entry);
    this.#entries.delete(entry.task.id);
    for (const key of entry.keys) this.#byMessage.delete(key);
  }
}

interface Entry {
  readonly task: LiveTask;
  readonly keys: readonly string[];
  readonly messageCharacters: number;
}

/** An ended task does not change, so that it weighs the same when it is forgotten. */
function weight(entry: Entry): number {
  return entry.messageCharacters + entry.task.characters;
}

function messageKey(messageId: string, contextId: string | undefined): string {
  return JSON.stringify([contextId ?? null, messageId]);
}
