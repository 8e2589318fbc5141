import type { RegisteredAgent } from '../core/directory/registered-agent.ts';
import type { DirectoryStore } from '../ports/space/directory-store.ts';
import { SPACE_LIMITS } from './limits.ts';

/** Gets every change of the directory, in its order. */
export interface DirectoryReader {
  saved(agent: RegisteredAgent): void;
  removed(space: string, id: string): void;
}

/**
 * The directory as this process has it in memory: every question brings it up to date first, so that what another
 * process approved or removed a moment ago holds here.
 */
export class Directory {
  readonly #store: Pick<DirectoryStore, 'changes'>;
  readonly #agents = new Map<string, Map<string, RegisteredAgent>>();
  readonly #readers: readonly DirectoryReader[];
  #sequence = 0;
  #reading: Promise<void> | undefined;

  constructor(store: Pick<DirectoryStore, 'changes'>, readers: readonly DirectoryReader[]) {
    this.#store = store;
    this.#readers = readers;
  }

  async agent(space: string, id: string): Promise<RegisteredAgent | undefined> {
    await this.refresh();
    return this.#agents.get(space)?.get(id);
  }

  /** Of one Space, in no order. */
  async agentsOf(space: string): Promise<readonly RegisteredAgent[]> {
    await this.refresh();
    return [...(this.#agents.get(space)?.values() ?? [])];
  }

  /** Tells its readers of every agent again: what they make of them may have changed with the configuration. */
  reconsider(): void {
    for (const agents of this.#agents.values()) {
      for (const agent of agents.values()) for (const reader of this.#readers) reader.saved(agent);
    }
  }

  /** Reads what has changed since the last time. Who asks while another reads gets a reading that began after it asked. */
  async refresh(): Promise<void> {
    await this.#reading?.catch(() => undefined);
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  async #read(): Promise<void> {
    for (;;) {
      const changes = await this.#store.changes(this.#sequence, SPACE_LIMITS.directoryChanges);
      for (const change of changes) {
        if (change.kind === 'saved') this.#put(change.agent);
        else this.#drop(change.space, change.id);
        this.#sequence = change.sequence;
      }
      if (changes.length < SPACE_LIMITS.directoryChanges) return;
    }
  }

  #put(agent: RegisteredAgent): void {
    const agents = this.#agents.get(agent.space) ?? new Map<string, RegisteredAgent>();
    this.#agents.set(agent.space, agents.set(agent.id, agent));
    for (const reader of this.#readers) reader.saved(agent);
  }

  #drop(space: string, id: string): void {
    this.#agents.get(space)?.delete(id);
    for (const reader of this.#readers) reader.removed(space, id);
  }
}
