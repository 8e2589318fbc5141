const KIB = 1_024;
const MIB = 1_024 * KIB;

const TIMES = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** A limit as the documents write it: its unit follows from its name (`messageBytes` 65536 is `64 KiB`). */
export function amount(name: string, value: number): string {
  if (name.endsWith('Ms')) return duration(value);
  if (!name.includes('Bytes')) return value.toLocaleString('en-US');
  if (value % MIB === 0) return `${value / MIB} MiB`;
  return value % KIB === 0 ? `${value / KIB} KiB` : `${value} B`;
}

/** As the configuration reads it: the largest unit that divides it. */
export function duration(ms: number): string {
  const [unit, size] = TIMES.find(([, units]) => ms % units === 0) ?? ['ms', 1];
  return `${ms / size}${unit}`;
}
