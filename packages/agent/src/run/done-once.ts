import { AgentFailure } from '../agent/agent-failure.ts';
import type { JournalEntry, Json, OnceError } from '../task/task-record.ts';
import { toJson } from './to-json.ts';

type OnceEntry = Extract<JournalEntry, { kind: 'once' }>;

/**
 * What a task does once, by its key: in this run and in earlier ones. Work that threw is told again in its place when the
 * turn is repeated, and is not done again: it may have had its effect all the same.
 */
export class DoneOnce {
  readonly #results = new Map<string, Json>();
  /** Of earlier runs, and not told yet in this one. */
  readonly #errors = new Map<string, OnceError[]>();
  readonly #doing = new Map<string, Promise<Json>>();

  constructor(journal: readonly JournalEntry[]) {
    for (const entry of journal) {
      if (entry.kind !== 'once') continue;
      if ('error' in entry) this.#errors.set(entry.key, [...(this.#errors.get(entry.key) ?? []), entry.error]);
      else this.#results.set(entry.key, entry.value);
    }
  }

  /** Whether nothing is to be done for a key: it is done, or being done, or failed in an earlier run. */
  has(key: string): boolean {
    return this.#errors.has(key) || this.#results.has(key) || this.#doing.has(key);
  }

  /** `keep` stores what came of it, before anybody gets it. */
  do(key: string, work: () => unknown, keep: (entry: OnceEntry) => Promise<void>): Promise<Json> {
    const doing = this.#doing.get(key) ?? this.#begin(key, work, keep);
    this.#doing.set(key, doing);
    return doing;
  }

  async #begin(key: string, work: () => unknown, keep: (entry: OnceEntry) => Promise<void>): Promise<Json> {
    try {
      return await this.#do(key, work, keep);
    } finally {
      this.#doing.delete(key);
    }
  }

  async #do(key: string, work: () => unknown, keep: (entry: OnceEntry) => Promise<void>): Promise<Json> {
    // In the next breath, so that whoever asks in this one finds it being done.
    await undefined;
    this.#tellEarlierError(key);
    const known = this.#results.get(key);
    if (known !== undefined) return known;
    let value: Json;
    try {
      value = toJson(await work());
    } catch (error) {
      await keep({ kind: 'once', key, error: written(error) });
      throw error;
    }
    await keep({ kind: 'once', key, value });
    this.#results.set(key, value);
    return value;
  }

  #tellEarlierError(key: string): void {
    const [first, ...rest] = this.#errors.get(key) ?? [];
    if (first === undefined) return;
    if (rest.length > 0) this.#errors.set(key, rest);
    else this.#errors.delete(key);
    throw read(first);
  }
}

function written(error: unknown): OnceError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message } = error;
  return error instanceof AgentFailure
    ? { name, message, code: error.code ?? null, category: error.category ?? null }
    : { name, message };
}

function read({ name, message, code, category }: OnceError): Error {
  if (name === 'AgentFailure') return new AgentFailure({ code: code ?? undefined, category: category ?? undefined });
  const error = new Error(message);
  error.name = name;
  return error;
}
