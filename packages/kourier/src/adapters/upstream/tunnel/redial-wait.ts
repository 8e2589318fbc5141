import { TUNNEL_LIMITS } from './limits.ts';

/**
 * Milliseconds until the next try, after `failures` in a row (1 for the first): doubling, capped, and between half of
 * that and all of it, so that ends that lost one gateway do not come back as one. `chance` is in [0, 1).
 */
export function redialWaitMs(failures: number, chance: number): number {
  const { redialFirstMs, redialLongestMs } = TUNNEL_LIMITS;
  const longest = Math.min(redialLongestMs, redialFirstMs * 2 ** (failures - 1));
  return Math.round((longest * (1 + chance)) / 2);
}
