import { machineClock } from '../../src/adapters/machine/clock.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Cleanup } from './product-process.ts';

/** The time that the product has; nothing waits for it any more when the test is over. */
export function clockFor(t: Cleanup): Clock {
  const { now, wakeAt } = machineClock();
  const callsOff = new Set<() => void>();
  t.after(() => {
    for (const callOff of callsOff) callOff();
  });
  return {
    now,
    wakeAt(...wait) {
      const callOff = wakeAt(...wait);
      callsOff.add(callOff);
      return callOff;
    },
  };
}
