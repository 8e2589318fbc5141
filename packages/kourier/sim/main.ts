import { parseArgs } from 'node:util';
import { MARKS, type Mark } from './marks.ts';
import { runSeed, type SeedResult } from './run-seed.ts';

/** A batch of at least so many seeds must have seen every mark. */
const MARKS_FROM = 300;
const PROGRESS_EVERY = 1_000;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '500' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    log: { type: 'boolean', default: false },
    calm: { type: 'boolean', default: false },
  },
});

const one = values.seed !== undefined;
const first = Number(values.seed ?? values.from);
const runs = one ? 1 : Number(values.runs);
const marks = new Set<Mark>();
let failed = 0;
let steps = 0;
let simulatedMs = 0;
for (let seed = first; seed < first + runs; seed++) {
  const tell = values.log ? { tell: (line: string) => console.log(line) } : {};
  const result = await runSeed(seed, { ...tell, calm: values.calm });
  for (const mark of result.marks) marks.add(mark);
  steps += result.steps;
  simulatedMs += result.simulatedMs;
  if (result.findings.length > 0) {
    failed++;
    report(result);
  } else if (one) console.log(`seed ${seed}: trace ${result.hash}, ${result.steps} steps\n${result.swarm}`);
  const done = seed - first + 1;
  if (done % PROGRESS_EVERY === 0 && done < runs) console.log(`${done} of ${runs} seeds, ${failed} failed`);
}
const missed = runs >= MARKS_FROM ? MARKS.filter((mark) => !marks.has(mark)) : [];
if (missed.length > 0) console.log(`never happened: ${missed.join(', ')}`);
console.log(`${runs} seeds, ${failed} failed (${steps} steps, ${Math.round(simulatedMs / 3_600_000)} simulated hours)`);
process.exitCode = failed > 0 || missed.length > 0 ? 1 : 0;

function report({ seed, findings, swarm, last }: SeedResult): void {
  console.log(`seed ${seed} failed:\n${findings.map((finding) => `  ${finding}`).join('\n')}`);
  if (runs > 20 && failed > 3) return;
  console.log(`with\n${swarm}\nthe last steps\n${last.map((line) => `  ${line}`).join('\n')}`);
  console.log(`again: npm run sim -- --seed ${seed} --log`);
}
