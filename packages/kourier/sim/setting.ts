import type { Disk } from './disk.ts';
import type { Mark } from './marks.ts';
import type { Prng } from './prng.ts';
import type { Scheduler } from './scheduler.ts';
import type { Swarm } from './swarm.ts';
import type { Trace } from './trace.ts';

/** What every part of one run shares. */
export interface Setting {
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly mark: (mark: Mark) => void;
  /** The stream of chance of a concern: the same one whenever it is asked for. */
  readonly chances: (concern: string) => Prng;
  readonly disk: Disk;
  /** Changes once, when the faults heal. */
  swarm: Swarm;
}
