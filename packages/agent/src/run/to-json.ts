import type { Json } from '../task/task-record.ts';

/** Taken as JSON at once: it comes back so from a store, and the turn may change its own objects later. */
export function toJson(value: unknown): Json {
  const json = JSON.stringify(value);
  return json === undefined ? null : (JSON.parse(json) as Json);
}
