// What the file adds to the contract.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { claimOne, owe, payloadsOf, prepared, task } from '../../../../contract/space-store-samples.ts';
import { statementsOn } from '../../../../test/space-statements.ts';
import { openDatabase } from '../../sqlite/open-database.ts';
import { StoreError, StoreInUse } from '../../sqlite/store-error.ts';
import { sqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { digest } from '../sql/keys.ts';
import { SPACE_FILE, SqliteDatabase, sqliteSpaceStore } from './sqlite-space-store.ts';

function pathIn(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'kourier-space-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'data', 'space.db');
}

test('the file is made for this user alone, and is one process’s until it is closed', async (t) => {
  const path = pathIn(t);
  const [first, second] = [sqliteSpaceStore({ path }), sqliteSpaceStore({ path })];
  await first.open();
  assert.deepEqual([statSync(join(path, '..')).mode & 0o777, statSync(path).mode & 0o777], [0o700, 0o600]);
  await assert.rejects(second.open(), StoreInUse);
  await prepared(first, 'task-1');
  await first.close();
  await second.open();
  assert.ok(await second.task('task-1'));
  await second.close();
});

test('the store of a courier, and a Space of a newer version, are refused and left as they are', async (t) => {
  const path = pathIn(t);
  await (await sqliteStore({ path })).close();
  const before = readFileSync(path);
  const isForeign = (error: unknown) => error instanceof StoreError && error.code === 'foreign';
  await assert.rejects(sqliteSpaceStore({ path }).open(), isForeign);
  assert.deepEqual(readFileSync(path), before);
  const newer = pathIn(t);
  const store = sqliteSpaceStore({ path: newer });
  await store.open();
  await store.close();
  const db = new Database(newer);
  db.pragma('user_version = 99');
  db.close();
  await assert.rejects(store.open(), /newer version.*Start that version/);
});

test('what is wrong in a group of writes fails alone', async (t) => {
  const store = sqliteSpaceStore({ path: pathIn(t) });
  await store.open();
  t.after(() => store.close());
  const tries = ['task-1', 'task-2', 'task-1', 'no id', 'task-3'].map((id) => store.prepareTask({ task: task(id) }));
  const outcomes = (await Promise.allSettled(tries)).map(({ status }) => status);
  assert.deepEqual(outcomes, ['fulfilled', 'fulfilled', 'rejected', 'rejected', 'fulfilled']);
});

test('each statement asks an index, in whose order a page is, however much there is', async (t) => {
  const path = pathIn(t);
  const db = new SqliteDatabase(path);
  await db.open();
  const statements = await statementsOn(db);
  await db.close();
  assert.ok(statements.length > 40, `${statements.length} statements`);
  const plain = new Database(path);
  t.after(() => plain.close());
  const planOf = (sql: string): readonly string[] => {
    const names = [...sql.matchAll(/\$(\d+)/g)].map(([, name = '']) => [name, 1]);
    const plan = plain.prepare<[object], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
    return plan.all(Object.fromEntries(names)).map(({ detail }) => detail);
  };
  // One row; what an index chose before; one row for each sink that is owed something.
  const small = /^SCAN (space_changes|due|old|firsts|CONSTANT ROW)$/;
  for (const sql of statements) {
    for (const detail of planOf(sql)) {
      // For the metrics, all queues.
      if (sql.includes('sum(events)')) continue;
      if (!small.test(detail)) assert.doesNotMatch(detail, /^SCAN|TEMP B-TREE/, sql);
    }
  }
});

test('what a former process held is due again when it was, before what came later; all else waits as it did', async (t) => {
  const store = sqliteSpaceStore({ path: pathIn(t) });
  await store.open();
  for (const id of ['task-1', 'task-2', 'task-3', 'task-4']) {
    await prepared(store, id);
    await owe(store, id, 's', ['1', '2'], id === 'task-2' ? 2_500 : 2_000);
  }
  const sink = { space: 'demo', sink: 's' };
  const held = await store.claim({ ...sink, now: 2_100, until: 62_100, limit: 10 });
  const of = (task: string) => held.find(({ taskId }) => taskId === task) ?? assert.fail(task);
  await store.failed(of('task-3'), { error: 'down', dueAt: 9_000, now: 2_200 });
  await store.failed(of('task-4'), { error: 'down', now: 2_200 });
  await store.close();
  await store.open();
  t.after(() => store.close());
  const [again, ...others] = await store.claim({ ...sink, now: 2_100, until: 62_100, limit: 10 });
  assert.deepEqual([again?.taskId, others], ['task-1', []]);
  assert.deepEqual(await store.owedSinks(), [{ ...sink, dueAt: 2_500 }]);
  assert.equal((await store.counts()).dead, 1);
  const [next] = await store.claim({ ...sink, now: 2_500, until: 62_500, limit: 10 });
  assert.equal(next?.taskId, 'task-2');
  assert.deepEqual(await store.owedSinks(), [{ ...sink, dueAt: 9_000 }]);
  // Whoever held it before has nothing to say.
  await store.failed(of('task-1'), { error: 'late', now: 2_600 });
  assert.equal((await store.counts()).dead, 1);
});

test('a file of the first version is brought up to date, with what is owed in it', async (t) => {
  const path = pathIn(t);
  const old = openDatabase(path, { ...SPACE_FILE, migrations: SPACE_FILE.migrations.slice(0, 1) });
  old.exec(`INSERT INTO space_queues (task, sink_key, sink, space, events, attempts, hold, due_at)
    VALUES ('task-1', '${digest('s')}', '"s"', 'demo', 1, 0, 1, 5000);
    INSERT INTO space_events (queue, payload, owed_at) VALUES (1, '"1"', 2000)`);
  old.close();
  const store = sqliteSpaceStore({ path });
  await store.open();
  t.after(() => store.close());
  const queue = await claimOne(store, 5_000);
  assert.deepEqual(await payloadsOf(store, queue.id), ['"1"']);
});
