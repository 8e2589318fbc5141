import { AGENT_LIMITS } from '../limits.ts';
import type { Json } from './task-store.ts';

/** What agents remember of conversations: of those that spoke last, within limits. */
export class Memories {
  readonly #kept = new Map<string, { readonly memory: Json; readonly characters: number }>();
  #characters = 0;

  of(context: string): Json | undefined {
    return this.#kept.get(context)?.memory;
  }

  keep(context: string, memory: Json): void {
    this.#forget(context);
    const characters = JSON.stringify(memory).length;
    this.#kept.set(context, { memory, characters });
    this.#characters += characters;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= AGENT_LIMITS.rememberedContexts && this.#characters <= AGENT_LIMITS.rememberedCharacters)
        break;
      this.#forget(oldest);
    }
  }

  #forget(context: string): void {
    this.#characters -= this.#kept.get(context)?.characters ?? 0;
    this.#kept.delete(context);
  }
}
