import { isObject, type JsonObject } from '@agentkourier/a2a/json-value';
import type { Part } from '@agentkourier/a2a/model';

/** What an object, an array or a part counts beside what it holds: many that hold nothing take memory, too. */
const CONTAINER_CHARACTERS = 64;
const VALUE_CHARACTERS = 8;

/** About what a value of JSON takes, in characters. Costs a visit of each member, and no depth exhausts the stack. */
function sizeOf(value: unknown): number {
  let size = 0;
  const waiting = [value];
  while (waiting.length > 0) {
    const each = waiting.pop();
    if (typeof each === 'string') size += each.length;
    else if (Array.isArray(each)) {
      size += CONTAINER_CHARACTERS;
      for (const item of each) waiting.push(item);
    } else if (isObject(each)) {
      size += CONTAINER_CHARACTERS;
      for (const key in each) {
        size += key.length;
        waiting.push(each[key]);
      }
    } else size += VALUE_CHARACTERS;
  }
  return size;
}

/** The text, and in 0.3 the kind. */
const PLAIN_MEMBERS = 2;

/** Of a part, with what its sender wrote beside it; of text with nothing beside it the text. */
export function sizeOfPart(part: Part): number {
  const isPlain = part.kind === 'text' && Object.keys(part.source).length <= PLAIN_MEMBERS && !part.metadata;
  return isPlain ? Math.max(part.text.length, CONTAINER_CHARACTERS) : sizeOf(part.source);
}

/** Metadata that grows by what is said later, and what it takes. */
export class KeptMetadata {
  #value: Map<string, unknown> | undefined;
  #characters = 0;

  get characters(): number {
    return this.#characters;
  }

  /** As it is now: a copy. */
  get value(): JsonObject | undefined {
    return this.#value === undefined ? undefined : Object.fromEntries(this.#value);
  }

  replace(value: JsonObject | undefined): void {
    this.#value = undefined;
    this.#characters = 0;
    this.add(value);
  }

  /** Costs what it brings. */
  add(value: JsonObject | undefined): void {
    if (value === undefined) return;
    this.#value ??= new Map();
    for (const key in value) {
      const before = this.#value.has(key) ? key.length + sizeOf(this.#value.get(key)) : 0;
      this.#characters += key.length + sizeOf(value[key]) - before;
      this.#value.set(key, value[key]);
    }
  }
}
