import type { Timings } from '../timings.ts';

export interface BackOff {
  readonly initialMs: number;
  readonly maxMs: number;
}

/** Doubles with every failure in a row up to the maximum, less up to a fifth of it by chance so that many do not march in step. */
export function backOffMs(failures: number, { initialMs, maxMs }: BackOff, chance: number): number {
  const full = Math.min(maxMs, initialMs * 2 ** Math.min(failures, 30));
  return Math.round(full * (1 - chance / 5));
}

export const retryBackOff = (timings: Timings): BackOff => ({
  initialMs: timings.retryBackoffInitialMs,
  maxMs: timings.retryBackoffMaxMs,
});

export const followBackOff = (timings: Timings): BackOff => ({
  initialMs: timings.followBackoffInitialMs,
  maxMs: timings.followBackoffMaxMs,
});
