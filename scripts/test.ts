// Runs the unit and contract tests: `npm test [-- PART_OF_A_PATH...]`. End-to-end tests start processes and a browser
// and have their own command: `npm run e2e`; so have those that want a PostgreSQL: `npm run db`.
import { spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { sharedFolder } from './shared-folder.ts';

const ELSEWHERE = /(^|\/)(node_modules|e2e|interop|db|dist)\//;

const wanted = process.argv.slice(2);
const files = globSync('{packages,examples,scripts,bench}/**/*.test.ts')
  .filter((file) => !ELSEWHERE.test(file))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort();

if (files.length === 0) {
  console.error(`no test file has ${wanted.join(' or ')} in its path`);
  process.exit(1);
}
const shared = sharedFolder();
console.log(
  existsSync(shared)
    ? `shared cases and transcripts: ${shared}`
    : `SKIPPING what needs the shared cases: ${shared} is absent (KOURIER_SHARED names another place)`,
);

const runner = spawn(
  process.execPath,
  ['--disable-warning=ExperimentalWarning', '--test', '--test-concurrency=2', '--test-reporter=spec', ...files],
  { stdio: 'inherit' },
);
runner.once('exit', (code) => process.exit(code ?? 1));
