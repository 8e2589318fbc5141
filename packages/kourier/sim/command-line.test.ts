import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { commandLine } from './command-line.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

function ends(...args: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

test('--help says every option and runs nothing; an unknown one is one line and exit code 2', () => {
  const { code, out, err } = ends('--help');
  assert.deepEqual({ code, err }, { code: 0, err: '' });
  for (const option of ['runs N', 'from SEED', 'seed SEED', 'log', 'calm', 'help']) {
    assert.match(out, new RegExp(`^  --${option} `, 'm'));
  }
  assert.doesNotMatch(out, /seeds, \d+ failed/);
  assert.deepEqual(ends('--sed', '1'), { code: 2, out: '', err: 'sim: unknown option --sed; write --seed\n' });
});

for (const [line, expected] of Object.entries({
  '--frobnicate': 'unknown option --frobnicate; see npm run sim -- --help',
  '-x': 'unknown option -x; see npm run sim -- --help',
  '1826': '1826 is no option; see npm run sim -- --help',
  '--seed': 'option --seed has no value; see npm run sim -- --help',
  '--log=1': 'option --log takes no value; write --log',
  '--seed --log': 'option --seed has no value; see npm run sim -- --help',
  '--seed one': '--seed one is no number of 0 or more; write --seed 1',
  '--runs 0': '--runs 0 is no number of 1 or more; write --runs 2',
  '--from 1.5': '--from 1.5 is no number of 0 or more; write --from 1',
})) {
  test(`${line}: ${expected}`, () => {
    assert.deepEqual(commandLine(line.split(' ')), { kind: 'wrong', line: expected });
  });
}

test('what runs', () => {
  const calm = { kind: 'run', one: false, log: false, calm: false };
  assert.deepEqual(commandLine([]), { ...calm, first: 1, runs: 500 });
  assert.deepEqual(commandLine(['--runs', '20', '--from', '7']), { ...calm, first: 7, runs: 20 });
  assert.deepEqual(commandLine(['--seed', '1826', '--log']), { ...calm, first: 1826, runs: 1, one: true, log: true });
});
