/** Milliseconds of the processor that `work` takes: what else the machine does adds nothing to them. */
export function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
