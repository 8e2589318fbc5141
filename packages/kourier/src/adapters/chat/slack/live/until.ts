import type { Clock } from '../../../../ports/clock.ts';

export function until(clock: Clock, atMs: number): Promise<void> {
  if (atMs <= clock.now()) return Promise.resolve();
  return new Promise((resolve) => {
    clock.wakeAt(atMs, resolve);
  });
}
