import { type CommandLine, commandLine, HELP } from './command-line.ts';
import { MARKS, type Mark } from './marks.ts';
import { runSeed, type SeedResult } from './run-seed.ts';

/** A batch of at least so many seeds must have seen every mark. */
const MARKS_FROM = 300;
const PROGRESS_EVERY = 1_000;

type Run = Extract<CommandLine, { kind: 'run' }>;

const asked = commandLine(process.argv.slice(2));
if (asked.kind === 'run') await simulate(asked);
else if (asked.kind === 'help') process.stdout.write(HELP);
else {
  console.error(`sim: ${asked.line}`);
  process.exitCode = 2;
}

async function simulate({ first, runs, one, log, calm }: Run): Promise<void> {
  const marks = new Set<Mark>();
  let failed = 0;
  let steps = 0;
  let simulatedMs = 0;
  for (let seed = first; seed < first + runs; seed++) {
    const tell = log ? { tell: (line: string) => console.log(line) } : {};
    const result = await runSeed(seed, { ...tell, calm });
    for (const mark of result.marks) marks.add(mark);
    steps += result.steps;
    simulatedMs += result.simulatedMs;
    if (result.findings.length > 0) {
      failed++;
      report(result, runs > 20 && failed > 3);
    } else if (one) console.log(`seed ${seed}: trace ${result.hash}, ${result.steps} steps\n${result.swarm}`);
    const done = seed - first + 1;
    if (done % PROGRESS_EVERY === 0 && done < runs) console.log(`${done} of ${runs} seeds, ${failed} failed`);
  }
  const missed = runs >= MARKS_FROM ? MARKS.filter((mark) => !marks.has(mark)) : [];
  if (missed.length > 0) console.log(`never happened: ${missed.join(', ')}`);
  console.log(
    `${runs} seeds, ${failed} failed (${steps} steps, ${Math.round(simulatedMs / 3_600_000)} simulated hours)`,
  );
  process.exitCode = failed > 0 || missed.length > 0 ? 1 : 0;
}

/** `isOneOfMany`: its findings are enough. */
function report({ seed, findings, swarm, last }: SeedResult, isOneOfMany: boolean): void {
  console.log(`seed ${seed} failed:\n${findings.map((finding) => `  ${finding}`).join('\n')}`);
  if (isOneOfMany) return;
  console.log(`with\n${swarm}\nthe last steps\n${last.map((line) => `  ${line}`).join('\n')}`);
  console.log(`again: npm run sim -- --seed ${seed} --log`);
}
