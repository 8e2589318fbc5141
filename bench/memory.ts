import type { Finding, Measure } from './measure.ts';
import { start, startAgent } from './processes.ts';

const GOAL_KIB = 40;

/** What one more open stream costs the process that reads it. The agents are elsewhere, and so is what the kernel keeps. */
export const memory: Measure = {
  name: 'memory',
  async run(quick): Promise<readonly Finding[]> {
    const streams = quick ? 200 : 5_000;
    const findings: Finding[] = [];
    for (const [side, what] of [
      ['client', 'the client alone'],
      ['courier', 'a carried turn, its thread and its store included'],
    ] as const) {
      const agent = await startAgent();
      try {
        const args = [side, `${agent.said}/open`, String(streams)];
        const { said, end } = await start('memory-holder.ts', { args, flags: ['--expose-gc'] });
        end();
        const { rssKib, heapKib } = JSON.parse(said) as { rssKib: number; heapKib: number };
        findings.push({
          name: `resident memory of each of ${streams.toLocaleString('en')} open streams, in units of ${GOAL_KIB} KiB: ${what}`,
          ratio: rssKib / GOAL_KIB,
          goal: 1,
          better: 'lower',
          detail: `${rssKib.toFixed(1)} KiB resident, ${heapKib.toFixed(1)} KiB of them heap`,
        });
      } finally {
        agent.end();
      }
    }
    return findings;
  },
};
