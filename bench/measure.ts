/** One line of the table: ours against a yardstick of the same run. */
export interface Finding {
  readonly name: string;
  readonly ratio: number;
  readonly goal: number;
  readonly better: 'higher' | 'lower';
  /** What the two sides came to, for a person. */
  readonly detail: string;
}

export interface Measure {
  /** What `--only` picks it by. */
  readonly name: string;
  /** `quick`: as little as shows that it runs; its numbers mean nothing. */
  run(quick: boolean): Promise<readonly Finding[]>;
}

/** A side of a comparison: does its work once, and returns what that took: less is better. */
export type Side = () => Promise<number>;

/**
 * Runs the sides in turn, round after round, and returns the best round of each: whatever else the machine does can only
 * add to a round. The first round warms up and does not count.
 */
export async function interleaved<Name extends string>(
  rounds: number,
  sides: Readonly<Record<Name, Side>>,
): Promise<Readonly<Record<Name, number>>> {
  const best = new Map<string, number>();
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, side] of Object.entries<Side>(sides)) {
      const took = await side();
      if (round > 0) best.set(name, Math.min(took, best.get(name) ?? took));
    }
  }
  return Object.fromEntries(best) as Record<Name, number>;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = Number.NaN, high = Number.NaN] = [sorted[middle - 1], sorted[middle]];
  return sorted.length % 2 === 0 ? (low + high) / 2 : high;
}

/** Milliseconds that some work took on the wall. */
export async function wallMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Milliseconds of processor time that this process spent on some work. */
export async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** A comparison that is wrong must not become a number. */
export function mustEqual(actual: unknown, expected: unknown, what: string): void {
  if (actual !== expected) throw new Error(`${what}: ${String(actual)} instead of ${String(expected)}`);
}
