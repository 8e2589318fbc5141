import { isJson } from './json.ts';

/** Whether two JSON values say the same; the order of members says nothing. What lies deeper than `depth` counts as different. */
export function sameJson(one: unknown, other: unknown, depth: number): boolean {
  if (one === other) return true;
  if (depth === 0) return false;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, at) => sameJson(item, other[at], depth - 1));
  if (!isJson(one) || !isJson(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && sameJson(one[name], other[name], depth - 1))
  );
}
