/** A JSON object of which only the named members are read; any of them may be absent or of any type. */
export type Loose<Key extends string> = { readonly [key in Key]?: unknown };

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names the members that a reader looks at; `undefined` when the value is no object. */
export function objectOf<Key extends string>(value: unknown): Loose<Key> | undefined {
  return isObject(value) ? (value as Loose<Key>) : undefined;
}

export function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NOTHING;
}

/** An id or a token: text, or a number in its decimal form (case C031). Absent, `null` and empty all mean "not set". */
export function idOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' ? String(value) : undefined;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The strings of an array; everything else in it is left out. */
export function textsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return NO_TEXTS;
  return value.filter((item) => typeof item === 'string');
}

/**
 * Whether a value nests no deeper than `maxDepth` objects and arrays. Costs at most one visit of each member and never
 * recurses past `maxDepth`, so that no depth of input can exhaust the stack.
 */
export function isWithinDepth(value: unknown, maxDepth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (maxDepth === 0) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (!isWithinDepth(item, maxDepth - 1)) return false;
    return true;
  }
  // Lists nothing first: every request and every event passes here.
  for (const key in value) if (!isWithinDepth((value as JsonObject)[key], maxDepth - 1)) return false;
  return true;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;
const BRACKET = 0x5b;

/**
 * Whether a JSON text holds at most `max` objects and arrays, told without making them: an empty one is two characters
 * on the wire and a hundred bytes or more in memory. Linear in the text; what stands in strings does not count.
 */
export function holdsAtMost(text: string, max: number): boolean {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === BRACE || code === BRACKET) count += 1;
    if (count > max) return false;
  }
  return true;
}

/** Where the string that begins at `start` ends: its closing quote, or the end of the text. */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}

/** The value of a JSON text, or `undefined` when it is none. JSON has no `undefined` of its own. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const NOTHING: readonly unknown[] = Object.freeze([]);
const NO_TEXTS: readonly string[] = Object.freeze([]);
