import { PUSH_LIMITS } from '../limits.ts';

/**
 * What to wait after so many attempts (1 and more), in milliseconds: doubled each time up to a cap, and a random half of
 * it, so that those who failed together do not come back together. `chance` is from 0 to 1.
 */
export function backOff(attempts: number, chance: number): number {
  const whole = Math.min(PUSH_LIMITS.firstRetryMs * 2 ** (attempts - 1), PUSH_LIMITS.retryMs);
  return whole / 2 + (whole / 2) * chance;
}
