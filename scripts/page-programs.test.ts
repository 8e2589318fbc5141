// A program that a page shows is run, and prints what the page says: each `ts` block and the `text` block that follows.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const PROGRAM = /^```ts\n(.*?)^```$(?:(?:(?!```).)*^```text\n(.*?)^```$)?/gms;
const FLAGS = ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript'];

for (const page of globSync('docs/**/*.md')) {
  for (const [index, [, program = '', printed]] of [...readFileSync(page, 'utf8').matchAll(PROGRAM)].entries()) {
    test(`${page}: program ${index + 1} prints what the page says`, () => {
      assert.notEqual(printed, undefined, 'a `text` block after it shows what it prints');
      const { stdout, stderr } = spawnSync(process.execPath, FLAGS, { input: program, encoding: 'utf8' });
      assert.deepEqual({ stdout, stderr }, { stdout: printed, stderr: '' });
    });
  }
}
