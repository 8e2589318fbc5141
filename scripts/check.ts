// The one command: `npm run check`. If it is a rule, it is in here; CI runs this and nothing else of the kind.
import { spawn } from 'node:child_process';

interface Step {
  readonly name: string;
  readonly command: readonly string[];
}

interface Outcome {
  readonly passed: number;
  readonly failed: number;
}

const script = (...command: string[]): readonly string[] => [process.execPath, 'scripts/run.mjs', ...command];

/** These use one core each and do not touch one another. */
const READ_THE_CODE: readonly Step[] = [
  { name: 'lint and format', command: ['biome', 'ci', '--colors=off', '--error-on-warnings', '--max-diagnostics=100'] },
  { name: 'types', command: ['tsc', '-b', '--force'] },
  { name: 'layers', command: script('scripts/layers.ts') },
  { name: 'unused code', command: ['knip', '--no-progress'] },
];

/** These use all cores. */
const RUN_THE_CODE: readonly Step[] = [
  { name: 'tests', command: script('scripts/test.ts') },
  { name: 'simulator', command: script('packages/kourier/sim/main.ts', '--runs', '500') },
];

const outcomes = await inPairs(READ_THE_CODE);
for (const step of RUN_THE_CODE) outcomes.push(await perform(step));

const total = (key: keyof Outcome): number => outcomes.reduce((sum, outcome) => sum + outcome[key], 0);
console.log(`${total('passed')} passed, ${total('failed')} failed`);
process.exitCode = total('failed') === 0 ? 0 : 1;

async function inPairs(steps: readonly Step[]): Promise<Outcome[]> {
  const waiting = [...steps];
  const results: Outcome[] = [];
  const worker = async (): Promise<void> => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) results.push(await perform(step));
  };
  await Promise.all([worker(), worker()]);
  return results;
}

async function perform({ name, command }: Step): Promise<Outcome> {
  const startedAt = performance.now();
  const { code, output } = await run(command);
  const outcome = count(code, output);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}  ${seconds} s  ${detail(outcome)}`.trimEnd());
  if (code !== 0) console.log(`\n${output.trim()}\n`);
  else for (const line of output.match(/^.*(﹣ |SKIPPING ).*$/gm) ?? []) console.log(`       ${line.trim()}`);
  return outcome;
}

/** A step counts once; a run of node's tests counts as its tests. */
function count(code: number, output: string): Outcome {
  const number = (word: string): number => Number(new RegExp(`^ℹ ${word} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
  if (code === 0) return { passed: Math.max(1, number('pass')), failed: 0 };
  return { passed: number('pass'), failed: Math.max(1, number('fail') + number('cancelled')) };
}

function detail({ passed, failed }: Outcome): string {
  return passed + failed > 1 ? `${passed} passed, ${failed} failed` : '';
}

function run([file = '', ...args]: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NO_COLOR: '1' } });
    let output = '';
    const keep = (chunk: string): void => {
      output += chunk;
    };
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    child.once('error', (error) => resolve({ code: 127, output: `${file}: ${error.message}` }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
