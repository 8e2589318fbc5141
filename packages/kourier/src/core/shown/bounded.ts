import { LIMITS } from '../limits.ts';

/**
 * A copy that can be looked at: long texts and lists are cut where the room ends, and say how much is missing. Linear
 * in what is kept.
 */
export function bounded(
  value: unknown,
  room: { characters: number } = { characters: LIMITS.shownCharacters },
): unknown {
  if (typeof value === 'string') return cutText(value, room);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return cutList(value, room);
  const kept: [string, unknown][] = [];
  const entries = Object.entries(value);
  for (const [key, item] of entries) {
    if (room.characters <= 0) {
      kept.push(['…', `${entries.length - kept.length} more keys`]);
      break;
    }
    room.characters -= key.length + 1;
    kept.push([key, bounded(item, room)]);
  }
  return Object.fromEntries(kept);
}

function cutText(text: string, room: { characters: number }): string {
  const left = Math.max(0, room.characters);
  room.characters -= text.length;
  return text.length <= left ? text : `${text.slice(0, left)}… (${text.length - left} more characters)`;
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
