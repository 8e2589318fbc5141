import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { migrations, SQLITE } from '../sql/migrations.ts';
import { GroupCommit } from './group-commit.ts';
import { openDatabase } from './open-database.ts';
import { SqliteTaskStore } from './sqlite-task-store.ts';

function pathFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'tasks-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'tasks.db');
}

async function pragmasOf(path: string, names: readonly string[]): Promise<readonly unknown[]> {
  const db = await openDatabase(path);
  const values = names.map((name) => Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
  db.close();
  return values;
}

test('every commit waits for the disk, also in a file that was there before', async (t) => {
  const path = pathFor(t);
  const names = ['journal_mode', 'synchronous', 'fullfsync', 'locking_mode', 'foreign_keys'];
  for (let times = 0; times < 2; times += 1) {
    assert.deepEqual(await pragmasOf(path, names), ['wal', 2, 1, 'exclusive', 1]);
  }
});

test('the folder and the files are made for this user alone', async (t) => {
  const path = join(dirname(pathFor(t)), 'deep', 'data', 'tasks.db');
  const db = await openDatabase(path);
  t.after(() => db.close());
  db.exec('CREATE TABLE scratch (number)');
  const modes = [dirname(path), path, `${path}-wal`].map((file) => statSync(file).mode & 0o777);
  assert.deepEqual(modes, [0o700, 0o600, 0o600]);
});

test('a file that another store has is in use, at once; after its close it is free', async (t) => {
  const path = pathFor(t);
  const [first, second] = [new SqliteTaskStore({ path }), new SqliteTaskStore({ path })];
  await first.open();
  const inUse = { name: 'SqliteStoreError', path, message: new RegExp(`${path} is in use by another process.*Stop`) };
  await assert.rejects(second.open(), inUse);
  await assert.rejects(second.open(), inUse);
  await first.close();
  await second.open();
  await second.close();
});

test('a store of a newer version is refused, and left as it is', async (t) => {
  const path = pathFor(t);
  const newer = await openDatabase(path, [...migrations(SQLITE), 'CREATE TABLE later (number)']);
  newer.close();
  const before = readFileSync(path);
  await assert.rejects(openDatabase(path), { message: /newer version \(its schema is 3, this version knows 2\)/ });
  assert.deepEqual(readFileSync(path), before);
});

test('a store of an older version gets the steps that it lacks, all or none', async (t) => {
  const path = pathFor(t);
  (await openDatabase(path)).close();
  const steps = [...migrations(SQLITE), 'CREATE TABLE two (number)', 'CREATE TABLE three (number)'];
  await assert.rejects(openDatabase(path, [...steps, 'CREATE TABLE two (number)']));
  (await openDatabase(path, migrations(SQLITE))).close();
  (await openDatabase(path, steps)).close();
  const db = await openDatabase(path, steps);
  t.after(() => db.close());
  assert.deepEqual(db.prepare('SELECT count(*) AS found FROM two, three').get()?.['found'], 0);
});

test("another program's file is refused, and left as it is", async (t) => {
  const path = pathFor(t);
  const other = new DatabaseSync(path);
  other.exec('CREATE TABLE customers (name)');
  other.close();
  const before = readFileSync(path);
  await assert.rejects(openDatabase(path), { message: /another program/ });
  assert.deepEqual(readFileSync(path), before);
});

test('what cannot be a store is refused, with what to do', async (t) => {
  const path = pathFor(t);
  writeFileSync(path, 'words that are no database, long enough to be read as the header of one'.repeat(20));
  await assert.rejects(openDatabase(path), { name: 'SqliteStoreError', message: /no SQLite database\. Name another/ });
  await assert.rejects(openDatabase(join(path, 'tasks.db')), { name: 'SqliteStoreError', message: /Name a folder/ });
  mkdirSync(`${path}-folder`);
  await assert.rejects(openDatabase(`${path}-folder`), { name: 'SqliteStoreError', message: /Name a file/ });
  await assert.rejects(async () => new SqliteTaskStore({ path }).ofMessage('', { messageId: 'm', contextId: 'c' }), {
    message: /not open: call open/,
  });
  assert.throws(() => new SqliteTaskStore({ path, finishedTasks: 0 }), RangeError);
});

test('what fails in a group fails alone, and the others are written in their order', async (t) => {
  const db = new DatabaseSync(pathFor(t));
  t.after(() => db.close());
  db.exec('CREATE TABLE numbers (number INTEGER PRIMARY KEY)');
  const commits = new GroupCommit(db, (error) => error);
  const add = (number: number) =>
    commits.write(function* () {
      yield { sql: 'INSERT INTO numbers VALUES ($1)', values: [number] };
    });
  const outcomes = await Promise.allSettled([add(1), add(2), add(2), add(3)]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  );
  const rows = db.prepare('SELECT number FROM numbers').all();
  assert.deepEqual(
    rows.map((row) => row['number']),
    [1, 2, 3],
  );
});
