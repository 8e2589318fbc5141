// Checks who imports whom: `npm run deps`. The cruiser passes when its parser fails and it saw nothing, so it has to
// have seen every source file that we have.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';

const FOLDERS = ['packages', 'examples', 'bench', 'scripts'].filter((folder) => existsSync(folder));

const sources = globSync(`{${FOLDERS.join(',')}}/**/*.{ts,tsx,mjs}`).filter(
  (file) => !/(^|\/)(node_modules|dist)\//.test(file),
);
const cruiser = spawnSync(
  'depcruise',
  ['--config', '.dependency-cruiser.mjs', '--output-type', 'err-long', ...FOLDERS],
  {
    encoding: 'utf8',
  },
);
const output = `${cruiser.stdout ?? ''}${cruiser.error?.message ?? ''}`;
// It warns that it would rather use TypeScript's own parser; the count below is what tells whether it saw everything.
console.log(output.split('‼ missing-tsc-transpiler')[0]?.trim());

const seen = Number(/(\d+) modules/.exec(output)?.[1] ?? 0);
if (seen < sources.length) {
  console.log(`${cruiser.stderr ?? ''}the cruiser saw ${seen} modules, and there are ${sources.length} source files`);
}
process.exitCode = cruiser.status === 0 && seen >= sources.length ? 0 : 1;
