import { storeContract } from '../contract/store.ts';
import type { Store } from '../src/ports/store.ts';
import { Disk } from './disk.ts';
import { Life } from './machine.ts';
import { Prng } from './prng.ts';
import { Scheduler } from './scheduler.ts';
import type { Setting } from './setting.ts';
import { SimStore } from './sim-store.ts';
import { drawSwarm, healed } from './swarm.ts';
import { Trace } from './trace.ts';

const disks = new Map<string, Disk>();

/** The disk of a folder outlives the stores on it. */
function simulatedStore(folder: string, seed: number): Store {
  const disk = disks.get(folder) ?? new Disk();
  disks.set(folder, disk);
  const prng = new Prng(seed);
  const scheduler = new Scheduler(prng.fork('schedule'));
  const swarm = healed(drawSwarm(prng.fork('swarm')));
  const trace = new Trace(() => scheduler.nowMs);
  const setting: Setting = { scheduler, trace, mark: () => {}, chances: (concern) => prng.fork(concern), disk, swarm };
  return running(new SimStore(setting, new Life('A1'), () => {}), scheduler);
}

/** Simulated time runs while something is asked. */
function running(store: Store, scheduler: Scheduler): Store {
  let isStepping = false;
  const step = async () => {
    if (isStepping) return;
    isStepping = true;
    while (await scheduler.step());
    isStepping = false;
  };
  return new Proxy(store, {
    get(target, name: keyof Store) {
      if (!(name in target)) return undefined;
      return (...args: never[]) => {
        const asked = (target[name] as (...args: never[]) => Promise<unknown>)(...args);
        void step();
        return asked;
      };
    },
  });
}

for (const seed of [1, 2, 3]) {
  storeContract(`simulated, seed ${seed}`, async (folder) => simulatedStore(folder, seed), { durable: true });
}
