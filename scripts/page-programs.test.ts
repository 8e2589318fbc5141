// A program that a page shows is run, and prints what the page says: a `ts` block and the `text` block that follows. The
// other `ts` blocks of a page are pieces of one program: they compile together. The reference is made by the compiler.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const PROGRAM = /^```ts\n(.*?)^```$(?:(?:(?!```).)*^```text\n(.*?)^```$)?/gms;
const FLAGS = ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript'];

for (const page of globSync('docs/**/*.md').filter((path) => !path.startsWith(join('docs', 'reference')))) {
  const blocks = [...readFileSync(page, 'utf8').matchAll(PROGRAM)];
  const pieces: string[] = [];
  for (const [index, [, program = '', printed]] of blocks.entries()) {
    if (printed === undefined) {
      pieces.push(program);
      continue;
    }
    test(`${page}: program ${index + 1} prints what the page says`, () => {
      const { stdout, stderr } = spawnSync(process.execPath, FLAGS, { input: program, encoding: 'utf8' });
      assert.deepEqual({ stdout, stderr }, { stdout: printed, stderr: '' });
    });
  }
  if (pieces.length > 0) test(`${page}: its other programs compile`, (t) => compiles(t, pieces));
}

function compiles(t: { after(end: () => void): void }, pieces: readonly string[]): void {
  // Beside the packages, so that what it imports is found.
  const folder = mkdtempSync(resolve('node_modules/.page-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'page.ts'), pieces.join('\n'));
  const compilerOptions = { noUnusedLocals: false, noUnusedParameters: false };
  const config = { extends: resolve('tsconfig.base.json'), compilerOptions, include: ['page.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const { stdout } = spawnSync('node_modules/.bin/tsc', ['--project', folder], { encoding: 'utf8' });
  assert.equal(stdout, '');
}
