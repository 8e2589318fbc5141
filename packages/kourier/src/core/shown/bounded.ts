import { LIMITS } from '../limits.ts';

/**
 * A copy that can be looked at: long texts, keys and lists are cut where the room ends, and say how much is missing.
 * What is kept is linear in the room.
 */
export function bounded(
  value: unknown,
  room: { characters: number } = { characters: LIMITS.shownCharacters },
): unknown {
  if (typeof value === 'string') return cutText(value, room);
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? cutList(value, room) : cutRecord(value, room);
}

function cutText(text: string, room: { characters: number }): string {
  const left = Math.max(0, room.characters);
  room.characters -= text.length;
  if (text.length <= left) return text;
  // No half of a pair is left behind.
  const kept = text.slice(0, left).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept}… (${text.length - kept.length} more characters)`;
}

function cutList(list: readonly unknown[], room: { characters: number }): unknown[] {
  const kept: unknown[] = [];
  for (const item of list) {
    if (room.characters <= 0) return [...kept, `… (${list.length - kept.length} more)`];
    room.characters -= 1;
    kept.push(bounded(item, room));
  }
  return kept;
}

function cutRecord(record: object, room: { characters: number }): unknown {
  const kept: [string, unknown][] = [];
  const keys = Object.keys(record);
  for (const key of keys) {
    if (room.characters <= 0) {
      kept.push(['…', `${keys.length - kept.length} more keys`]);
      break;
    }
    room.characters -= 1;
    kept.push([cutText(key, room), bounded((record as Readonly<Record<string, unknown>>)[key], room)]);
  }
  return Object.fromEntries(kept);
}
