import { DIRECTORY_LIMITS } from './limits.ts';

/** Where the next page begins, as text that fits into a URL as it is: the key's code units in hex. */
export function cursorAt(key: string): string {
  return Array.from({ length: key.length }, (_, at) => key.charCodeAt(at).toString(16).padStart(4, '0')).join('');
}

/** `undefined`: no cursor of ours. One that was made up begins a page somewhere, as every cursor does. */
export function readCursor(cursor: string): string | undefined {
  if (cursor.length > DIRECTORY_LIMITS.cursorCharacters || !/^(?:[0-9a-f]{4})+$/.test(cursor)) return undefined;
  return (cursor.match(/.{4}/g) ?? []).map((unit) => String.fromCharCode(Number.parseInt(unit, 16))).join('');
}
