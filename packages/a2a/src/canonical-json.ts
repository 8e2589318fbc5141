import { isObject } from './json-value.ts';
import { CARD_LIMITS } from './limits.ts';

/**
 * The canonical form of a JSON value (RFC 8785): members by the UTF-16 code units of their names, numbers and texts as
 * ECMAScript writes them, no white space. `undefined` for what has none: a text with a lone surrogate, a number that is
 * not finite, a value that JSON does not know, nesting past `maxDepth`.
 */
export function canonicalJson(value: unknown, maxDepth: number = CARD_LIMITS.cardDepth): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? JSON.stringify(value) : undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? JSON.stringify(value) : undefined;
  if (value === null || typeof value === 'boolean') return String(value);
  if (maxDepth === 0 || typeof value !== 'object') return undefined;
  const parts = Array.isArray(value)
    ? value.map((item) => canonicalJson(item, maxDepth - 1))
    : isPlain(value)
      ? Object.entries(value)
          .sort(([left], [right]) => (left < right ? -1 : 1))
          .map(([name, item]) => memberText(name, canonicalJson(item, maxDepth - 1)))
      : [undefined];
  if (parts.includes(undefined)) return undefined;
  return Array.isArray(value) ? `[${parts.join(',')}]` : `{${parts.join(',')}}`;
}

function memberText(name: string, item: string | undefined): string | undefined {
  return name.isWellFormed() && item !== undefined ? `${JSON.stringify(name)}:${item}` : undefined;
}

/** Not a date, a map or anything else that keeps its value elsewhere. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return isObject(value) && (prototype === null || Object.getPrototypeOf(prototype) === null);
}
