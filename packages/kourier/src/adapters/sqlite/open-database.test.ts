import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { migrate } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { StoreError, StoreInUse } from './store-error.ts';

const APPLICATION = 0x54_65_73_74;
const open = (path: string) =>
  openDatabase(path, { applicationId: APPLICATION, migrations: ['CREATE TABLE kept (number)'] });

test('the folder, the file and the log are made for this user alone', (t) => {
  const folder = join(folderOf(t), 'deep', 'data');
  const db = open(join(folder, 'kourier.db'));
  db.exec('CREATE TABLE scratch (number)');
  const modes = [folder, join(folder, 'kourier.db'), join(folder, 'kourier.db-wal')].map(modeOf);
  db.close();
  assert.deepEqual(modes, [0o700, 0o600, 0o600]);
});

test("an existing folder keeps its owner's mode", (t) => {
  const folder = folderOf(t);
  chmodSync(folder, 0o755);
  open(join(folder, 'kourier.db')).close();
  assert.equal(modeOf(folder), 0o755);
});

test('every commit waits for the disk, also in a store that was there before', (t) => {
  const path = join(folderOf(t), 'kourier.db');
  open(path).close();
  const db = open(path);
  const pragma = (name: string) => db.pragma(name, { simple: true });
  const found = ['journal_mode', 'synchronous', 'fullfsync', 'locking_mode', 'foreign_keys'].map(pragma);
  db.close();
  assert.deepEqual(found, ['wal', 2, 1, 'exclusive', 1]);
});

test('a file that is open already is in use, at once; after a close it is free', (t) => {
  const path = join(folderOf(t), 'kourier.db');
  const first = open(path);
  for (let times = 0; times < 2; times++) {
    assert.throws(
      () => open(path),
      (error) =>
        error instanceof StoreInUse && error.message.includes(path) && /Stop the other process/.test(error.message),
    );
  }
  first.exec('CREATE TABLE scratch (number)');
  first.close();
  open(path).close();
});

test('a store of a newer version is refused, and left as it is', (t) => {
  const path = join(folderOf(t), 'kourier.db');
  open(path).close();
  const newer = new Database(path);
  newer.pragma('user_version = 99');
  newer.close();
  const before = readFileSync(path);
  assert.throws(() => open(path), refusal('newer', /schema is 99, this program knows \d+.*newer/));
  assert.deepEqual(readFileSync(path), before);
});

test("another program's database is refused, and left as it is", (t) => {
  const path = join(folderOf(t), 'other.db');
  const other = new Database(path);
  other.exec('CREATE TABLE customers (name)');
  other.close();
  const before = readFileSync(path);
  assert.throws(() => open(path), refusal('foreign', /another program/));
  assert.deepEqual(readFileSync(path), before);
});

test('a file of another kind is refused, and left as it is', (t) => {
  const path = join(folderOf(t), 'kourier.db');
  open(path).close();
  const before = readFileSync(path);
  const other = { applicationId: APPLICATION + 1, migrations: [] };
  assert.throws(() => openDatabase(path, other), refusal('foreign', /another program/));
  assert.deepEqual(readFileSync(path), before);
});

test('a database in memory is a new one each time', () => {
  const db = open(':memory:');
  db.exec('INSERT INTO kept VALUES (1)');
  const again = open(':memory:');
  assert.equal(again.prepare('SELECT count(*) FROM kept').pluck().get(), 0);
  for (const each of [db, again]) each.close();
});

test('what is no database is refused, with what to do', (t) => {
  const folder = folderOf(t);
  writeFileSync(
    join(folder, 'text'),
    'secret words that are no database, long enough to be read as a header of one'.repeat(20),
  );
  const refused = refusal('SQLITE_NOTADB', /no SQLite database: name another path/);
  assert.throws(() => open(join(folder, 'text')), refused);
  assert.throws(() => open(join(folder, 'text', 'kourier.db')), refusal('EEXIST', /is a file: name a folder/));
  mkdirSync(join(folder, 'folder'));
  assert.throws(() => open(join(folder, 'folder')), refusal('SQLITE_CANTOPEN', /must name a file/));
});

test('a store of an older version gets the steps that it lacks, all or none', (t) => {
  const path = join(folderOf(t), 'kourier.db');
  const db = new Database(path);
  t.after(() => db.close());
  const steps = ['CREATE TABLE one (number)', 'CREATE TABLE two (number)', 'CREATE TABLE three (number)'];
  const take = (migrations: readonly string[]) => migrate(db, path, { applicationId: APPLICATION, migrations });
  take(steps.slice(0, 1));
  assert.throws(() => take([...steps, 'CREATE TABLE one (number)']));
  assert.deepEqual(tablesOf(db), ['one']);
  take(steps);
  take(steps);
  assert.deepEqual(tablesOf(db), ['one', 'three', 'two']);
  assert.equal(db.pragma('user_version', { simple: true }), 3);
});

function refusal(code: string, message: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof StoreError);
    assert.equal(error.code, code);
    assert.match(error.message, message);
    assert.doesNotMatch(error.message, /secret/);
    return true;
  };
}

function tablesOf(db: Database.Database): readonly string[] {
  return db.prepare<[], string>('SELECT name FROM sqlite_schema ORDER BY name').pluck().all();
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'kourier-store-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
