import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sealContract } from '../../../../contract/seal.ts';
import { SEAL_FILE, sealIn } from './seal-in.ts';

const root = mkdtempSync(join(tmpdir(), 'seal-'));
process.once('exit', () => rmSync(root, { recursive: true }));

sealContract('of a data folder', () => sealIn(mkdtempSync(join(root, 'data-'))));

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'seal-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('the key is made once, for its owner alone, and found again', (t) => {
  const folder = join(folderFor(t), 'new', 'data');
  const token = sealIn(folder).sign('t', { a: 1 });
  assert.equal(statSync(join(folder, SEAL_FILE)).mode & 0o777, 0o600);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.deepEqual(readdirSync(folder), [SEAL_FILE], 'nothing else is left');
  assert.deepEqual(sealIn(folder).open('t', token), { a: 1 });
});

test('processes that start at once have the same key', async (t) => {
  const folder = folderFor(t);
  const file = fileURLToPath(new URL('./seal-in.ts', import.meta.url));
  const program = `import { sealIn } from ${JSON.stringify(file)};
    process.stdout.write(JSON.stringify(sealIn(process.argv[1]).jwks));`;
  const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, folder]);
  const printed = await Promise.all(Array.from({ length: 4 }, run));
  const keys = new Set(printed.map(({ stdout }) => stdout));
  assert.deepEqual([...keys], [JSON.stringify(sealIn(folder).jwks)]);
  assert.deepEqual(readdirSync(folder), [SEAL_FILE]);
});

test('a file that others may read or write is refused, and left as it is', (t) => {
  const folder = folderFor(t);
  sealIn(folder);
  const path = join(folder, SEAL_FILE);
  const text = readFileSync(path, 'utf8');
  for (const mode of [0o640, 0o604, 0o620, 0o602, 0o644, 0o610]) {
    chmodSync(path, mode);
    assert.throws(() => sealIn(folder), new RegExp(`mode ${mode.toString(8)}\\): chmod 600`));
    assert.equal(readFileSync(path, 'utf8'), text);
  }
  for (const mode of [0o600, 0o400]) {
    chmodSync(path, mode);
    assert.doesNotThrow(() => sealIn(folder));
  }
});

test('what is no key set is refused with its place, and never replaced', (t) => {
  const folder = folderFor(t);
  const path = join(folder, SEAL_FILE);
  for (const text of ['', '{', '{}', '{"keys":[]}', '{"keys":[{"kty":"oct","k":"c2VjcmV0"}]}']) {
    writeFileSync(path, text, { mode: 0o600 });
    assert.throws(
      () => sealIn(folder),
      (error: unknown) => {
        return error instanceof Error && error.message.startsWith(path) && !error.message.includes('c2VjcmV0');
      },
    );
    assert.equal(readFileSync(path, 'utf8'), text);
  }
  writeFileSync(path, ' '.repeat(2_000_000), { mode: 0o600 });
  assert.throws(() => sealIn(folder), /at most 1048576 bytes/);
  rmSync(path);
  mkdirSync(path);
  assert.throws(() => sealIn(folder), /is no file/);
});
