import { endOfString } from './json-value.ts';

export interface JsonBounds {
  /** Objects and arrays inside one another. */
  readonly maxDepth: number;
  /** UTF-16 units of one string as it is written, escapes included; names of members count as strings. */
  readonly maxStringLength: number;
  /** Objects and arrays in all. */
  readonly maxContainers: number;
}

export type JsonExcess = 'too-deep' | 'string-too-long' | 'too-many-values';

/**
 * What a JSON text has too much of, told before anything is made of it (rule A4); `undefined` when it keeps the bounds.
 * Linear in the text, which need not be JSON; what stands in strings does not count as structure.
 */
export function jsonExcess(
  text: string,
  { maxDepth, maxStringLength, maxContainers }: JsonBounds,
): JsonExcess | undefined {
  let depth = 0;
  let containers = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      const end = endOfString(text, at);
      if (end - at - 1 > maxStringLength) return 'string-too-long';
      at = end;
    } else if (char === '{' || char === '[') {
      depth += 1;
      containers += 1;
      if (depth > maxDepth) return 'too-deep';
      if (containers > maxContainers) return 'too-many-values';
    } else if (char === '}' || char === ']') depth -= 1;
  }
  return undefined;
}
