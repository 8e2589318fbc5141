import { LIMITS } from '../../../core/limits.ts';

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DURATION = /^(\d{1,15})(ms|s|m|h|d)$/;

/** Milliseconds of `50ms`, `30s`, `5m`, `1h` or `1d`: more than nothing, at most 365 days. Anything else: undefined. */
export function durationMs(text: string): number | undefined {
  const [, amount, unit] = DURATION.exec(text) ?? [];
  if (amount === undefined || unit === undefined) return undefined;
  const ms = Number(amount) * UNITS[unit as keyof typeof UNITS];
  return ms > 0 && ms <= LIMITS.durationMs ? ms : undefined;
}
