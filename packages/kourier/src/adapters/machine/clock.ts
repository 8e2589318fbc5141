import type { Clock } from '../../ports/clock.ts';

/** Looked at again at least so often: the wall clock may have been set meanwhile, or the machine have slept. */
const LONGEST_SLEEP_MS = 60_000;

/**
 * The clock of this machine. A wait keeps the process alive until it has fired or was called off: a process that is to
 * end calls off what it waits for. Deadlines of any distance are kept, also past what one timer can hold (2^31 ms).
 */
export function machineClock(): Clock {
  return {
    now: Date.now,
    wakeAt(atMs, wake) {
      let timer: NodeJS.Timeout;
      const sleep = (): void => {
        const leftMs = Math.max(0, atMs - Date.now());
        timer = setTimeout(look, Math.min(leftMs, LONGEST_SLEEP_MS));
      };
      // A timer can fire a moment before the wall clock says so.
      const look = (): void => (Date.now() < atMs ? sleep() : wake());
      sleep();
      return () => clearTimeout(timer);
    },
  };
}
