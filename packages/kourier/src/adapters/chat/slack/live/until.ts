import type { Clock } from '../../../../ports/clock.ts';

/** Until then, or until it is said to be over. */
export function until(clock: Clock, atMs: number, over?: AbortSignal): Promise<void> {
  if (atMs <= clock.now() || over?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const callOff = clock.wakeAt(atMs, end);
    over?.addEventListener('abort', end);
    function end(): void {
      callOff();
      over?.removeEventListener('abort', end);
      resolve();
    }
  });
}
