import { Disk } from './disk.ts';
import type { Mark } from './marks.ts';
import type { Plant } from './plant.ts';
import { Prng } from './prng.ts';
import { Scheduler } from './scheduler.ts';
import type { Setting } from './setting.ts';
import { Story } from './story.ts';
import { describeSwarm, drawSwarm, healed } from './swarm.ts';
import { Trace } from './trace.ts';

export interface SeedOptions {
  readonly tell?: (line: string) => void;
  /** No fault, from the beginning. */
  readonly calm?: boolean;
  readonly plant?: Plant;
}

export interface SeedResult {
  readonly seed: number;
  readonly findings: readonly string[];
  readonly marks: ReadonlySet<Mark>;
  readonly hash: string;
  readonly steps: number;
  readonly simulatedMs: number;
  readonly swarm: string;
  readonly last: readonly string[];
}

/** One story: faults, then healing, then settled accounts. The same seed tells the same story. */
export async function runSeed(seed: number, { tell, calm = false, plant = {} }: SeedOptions = {}): Promise<SeedResult> {
  const chances = streamsOf(new Prng(seed));
  const scheduler = new Scheduler(chances('schedule'));
  const marks = new Set<Mark>();
  const trace = new Trace(() => scheduler.nowMs, tell);
  const disk = new Disk();
  plant.disk?.(disk);
  const drawn = drawSwarm(chances('swarm'));
  const swarm = calm ? healed(drawn) : drawn;
  const setting: Setting = { scheduler, trace, mark: (mark) => marks.add(mark), chances, disk, swarm };
  const story = new Story(setting, plant);
  const unheard = (reason: unknown) =>
    story.findings.add(`nobody heard: ${reason instanceof Error ? reason.stack : reason}`);
  process.on('unhandledRejection', unheard);
  try {
    await story.tell();
  } finally {
    process.off('unhandledRejection', unheard);
  }
  const { steps, nowMs } = scheduler;
  const told = { hash: trace.hash, steps, simulatedMs: nowMs, last: trace.last() };
  return { seed, findings: story.findings.all, marks, swarm: describeSwarm(swarm), ...told };
}

function streamsOf(root: Prng): Setting['chances'] {
  const streams = new Map<string, Prng>();
  return (concern) => {
    const stream = streams.get(concern) ?? root.fork(concern);
    streams.set(concern, stream);
    return stream;
  };
}
