import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

interface Row {
  readonly name: unknown;
  readonly ratio: unknown;
  readonly goal: unknown;
  readonly better: unknown;
}

// What a run says of speed is for a quiet machine: here it only has to run.
test('the bench runs, and writes a row for each measure', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'kourier-bench-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'bench.json');
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, '--quick', '--json', file], {
    encoding: 'utf8',
    timeout: 240_000,
  });
  assert.equal(status, 0, stderr);
  const rows = JSON.parse(readFileSync(file, 'utf8')) as readonly Row[];
  assert.ok(rows.length >= 10, stdout);
  for (const { name, ratio, goal, better, ...rest } of rows) {
    assert.ok(typeof name === 'string' && stdout.includes(name));
    assert.ok(typeof ratio === 'number' && Number.isFinite(ratio), name);
    // A few streams may fit into memory that the process had already.
    assert.ok(ratio > 0 || name.startsWith('resident memory'), name);
    assert.ok(typeof goal === 'number' && goal > 0, name);
    assert.ok(better === 'higher' || better === 'lower', name);
    assert.deepEqual(rest, {});
  }
});

test('a measure that there is not is named, with those that there are', () => {
  const { status, stderr } = spawnSync(process.execPath, [MAIN, '--only', 'trns'], { encoding: 'utf8' });
  assert.equal(status, 2);
  assert.match(stderr, /no measure is called trns; there are turns, reading, latency, memory, growth, serving/);
});
