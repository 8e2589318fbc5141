import { OUTBOX_WAITS } from '../limits.ts';

/**
 * How long to wait after `attempts` failures in a row, in milliseconds: doubled each time, capped, and a random half of it
 * left out, so that sinks that came back are not called by everybody at once. `chance` is in [0, 1).
 */
export function retryAfterMs(attempts: number, chance: number): number {
  const full = Math.min(OUTBOX_WAITS.firstRetryMs * 2 ** Math.min(attempts - 1, 30), OUTBOX_WAITS.lastRetryMs);
  return Math.round(full * (1 - chance / 2));
}
