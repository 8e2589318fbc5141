import { retryAfterDataMs, retryAfterHeaderMs } from '@agentkourier/a2a/retry-after';
import { LIMITS } from '../../../core/limits.ts';

/** The header, in seconds or as a date; at most a day (rule E7). Milliseconds from `nowMs`, `undefined` when unreadable. */
export function retryAfterHeader(value: unknown, nowMs: number): number | undefined {
  return bounded(retryAfterHeaderMs(value, nowMs));
}

/** `retryAfterMs` in a JSON-RPC error's data (decision 3). */
export function retryAfterData(data: unknown): number | undefined {
  return bounded(retryAfterDataMs(data));
}

function bounded(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.min(ms, LIMITS.retryAfterMs);
}
