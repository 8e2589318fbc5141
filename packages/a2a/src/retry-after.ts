import { arrayOf, isObject, objectOf } from './json-value.ts';

/** The header Retry-After, in seconds or as a date: milliseconds from `nowMs`, not negative; `undefined` when unreadable. */
export function retryAfterHeaderMs(value: unknown, nowMs: number): number | undefined {
  const text = (Array.isArray(value) ? value[0] : value) as unknown;
  if (typeof text !== 'string') return undefined;
  if (/^\s*\d{1,12}(\.\d+)?\s*$/.test(text)) return whole(Number(text) * 1_000);
  const dateMs = Date.parse(text);
  return Number.isNaN(dateMs) ? undefined : whole(dateMs - nowMs);
}

/** `retryAfterMs` in a JSON-RPC error's data (decision 3), also in one of its details, as A2A 1.0 writes them. */
export function retryAfterDataMs(data: unknown): number | undefined {
  for (const item of isObject(data) ? [data] : arrayOf(data).slice(0, 16)) {
    const detail = objectOf<'retryAfterMs' | 'metadata'>(item);
    const value = detail?.retryAfterMs ?? objectOf<'retryAfterMs'>(detail?.metadata)?.retryAfterMs;
    const ms = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value;
    if (typeof ms === 'number' && Number.isFinite(ms)) return whole(ms);
  }
  return undefined;
}

const whole = (ms: number): number => Math.max(0, Math.ceil(ms));
