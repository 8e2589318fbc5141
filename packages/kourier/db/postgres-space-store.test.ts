// What PostgreSQL adds to the contract: its schema, and what becomes of a call when it fails.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { breakable } from '../../agent/db/breakable.ts';
import { newDatabase, query } from '../../agent/db/postgres-server.ts';
import { owe, prepared, seen, task } from '../contract/space-store-samples.ts';
import { PostgresDatabase, postgresSpaceStore } from '../src/adapters/space-store/postgres/postgres-space-store.ts';
import { PostgresStoreError } from '../src/adapters/space-store/postgres/postgres-store-error.ts';
import { statementsOn } from '../test/space-statements.ts';
import { openStore } from './space-store-pair.ts';

test('processes that start at once on an empty database make one schema', async (t) => {
  const url = await newDatabase();
  const stores = await Promise.all(Array.from({ length: 4 }, () => openStore(t, url)));
  for (const [n, store] of stores.entries()) await prepared(store, `task-${n}`);
  const rows = await query(url, 'SELECT application, version FROM space_schema');
  assert.deepEqual(rows, [{ application: 'agent-kourier', version: 2 }]);
  assert.deepEqual(await query(url, 'SELECT sequence::int FROM space_changes'), [{ sequence: 0 }]);
});

test('tables of a newer version are refused, and left as they are', async (t) => {
  const url = await newDatabase();
  await (await openStore(t, url)).close();
  await query(url, 'UPDATE space_schema SET version = 99');
  await assert.rejects(postgresSpaceStore({ url }).open(), {
    code: 'newer',
    message: /newer version.*schema is 99.*Start that version/,
  });
  assert.deepEqual(await query(url, 'SELECT version FROM space_schema'), [{ version: 99 }]);
});

test("another program's tables are refused, and left as they are", async () => {
  for (const made of [
    'CREATE TABLE space_stations (name TEXT)',
    'CREATE TABLE space_schema (version INTEGER)',
    "CREATE TABLE space_schema (application TEXT, version INTEGER); INSERT INTO space_schema VALUES ('other', 1)",
  ]) {
    const url = await newDatabase();
    await query(url, made);
    await assert.rejects(postgresSpaceStore({ url }).open(), { code: 'foreign', message: /Name another database/ });
    const tables = await query(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
    assert.equal(tables.length, 1);
  }
});

test('a store that stands beside tables of other names is opened', async (t) => {
  const url = await newDatabase();
  await query(url, 'CREATE TABLE spaceships (name TEXT)');
  await prepared(await openStore(t, url), 'task-1');
});

test('a database that cannot be had is told with what to do, and without the password', async () => {
  await assert.rejects(postgresSpaceStore({ url: 'postgres://ada:secret@127.0.0.1:1/space' }).open(), (error) => {
    assert.ok(error instanceof PostgresStoreError);
    assert.match(error.message, /ECONNREFUSED.*Look whether PostgreSQL runs/);
    assert.doesNotMatch(error.message, /secret/);
    return true;
  });
  const url = (await newDatabase()).replace(/tasks_\d+/, 'nowhere');
  await assert.rejects(postgresSpaceStore({ url }).open(), { code: '3D000', message: /create it/ });
});

test('a connection that breaks at the commit leaves it open, and one that breaks before does not', async (t) => {
  const { url, cut } = await breakable(t, await newDatabase());
  const store = await openStore(t, url);
  cut('COMMIT\0');
  await assert.rejects(store.prepareTask({ task: task('task-1') }), { mayBeDone: true, message: /It is open whether/ });
  assert.ok(await store.task('task-1'), 'this time it was');
  cut('UPDATE space_tasks');
  const observed = seen('task-1', { remoteTaskId: 'r', state: 'working' });
  await assert.rejects(store.observe(observed), { mayBeDone: false, message: /Nothing of this was written/ });
  assert.equal((await store.task('task-1'))?.state, undefined);
  // The next call finds another connection, and what was begun before holds nothing.
  assert.equal(await store.observe(observed), 'recorded');
});

test('connections that the server ends while they are idle are made anew', async (t) => {
  const url = await newDatabase();
  const store = await openStore(t, url);
  await Promise.all(Array.from({ length: 20 }, (_, n) => prepared(store, `task-${n}`)));
  const others = 'FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
  await query(url, `SELECT pg_terminate_backend(pid) ${others}`);
  for (let left = 1; left > 0; ) left = Number((await query(url, `SELECT count(*) AS left ${others}`))[0]?.['left']);
  const tries = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => store.task(`task-${n}`)));
  assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 20);
});

test('a transaction that PostgreSQL undoes because of another is done again', async (t) => {
  const url = await newDatabase();
  const store = await openStore(t, url);
  await prepared(store, 'task-1');
  await owe(store, 'task-1', 's', ['1']);
  const other = new Client({ connectionString: url });
  await other.connect();
  t.after(() => other.end());
  // This one holds the queue and wants the task; whoever observes holds the task and wants the queue.
  await other.query("SET deadlock_timeout = '1min'");
  await other.query('BEGIN');
  await other.query('SELECT number FROM space_queues FOR UPDATE');
  const observing = store.observe(seen('task-1', { owed: [{ sink: 's', payload: '2' }] }));
  const waiting =
    "SELECT count(*) AS waiting FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
  while (Number((await query(url, waiting))[0]?.['waiting']) === 0);
  await other.query('SELECT id FROM space_tasks FOR UPDATE');
  await other.query('COMMIT');
  assert.equal(await observing, 'recorded');
  assert.deepEqual(await store.counts(), { dead: 0, owed: 2 });
});

test('what the database refuses says its code, and nothing of what is stored', async (t) => {
  const url = await newDatabase();
  const store = await openStore(t, url);
  await prepared(store, 'task-1');
  await assert.rejects(store.prepareTask({ task: task('task-1') }), (error) => {
    assert.ok(error instanceof PostgresStoreError);
    assert.equal(error.code, '23505');
    assert.doesNotMatch(error.message, /task-1/);
    return true;
  });
  const others = await Promise.allSettled(['task-2', 'task-1', 'task-3'].map((id) => prepared(store, id)));
  assert.deepEqual(
    others.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});

test('each statement asks an index, in whose order a page is, however much there is', async (t) => {
  const url = await newDatabase();
  const db = new PostgresDatabase(url);
  await db.open();
  const statements = await statementsOn(db);
  await db.close();
  const client = new Client({ connectionString: url });
  await client.connect();
  t.after(() => client.end());
  // What is small is read as it stands; this tells what it would do when nothing is.
  for (const setting of ['enable_seqscan = off', 'enable_sort = off', 'plan_cache_mode = force_generic_plan']) {
    await client.query(`SET ${setting}`);
  }
  const planOf = async (sql: string): Promise<string> => {
    const values = new Set([...sql.matchAll(/\$\d+/g)].map(([name]) => name));
    await client.query(`PREPARE asked AS ${sql}`);
    const given = values.size === 0 ? '' : `(${[...values].map(() => "'1'").join(', ')})`;
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE asked${given}`);
    await client.query('DEALLOCATE asked');
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  assert.ok(statements.length > 40, `${statements.length} statements`);
  for (const sql of statements) {
    const plan = await planOf(sql);
    // One row; for the metrics, all queues.
    if (sql.includes('space_changes') || sql.includes('sum(events)')) continue;
    assert.doesNotMatch(plan, /Seq Scan|Sort/, `${sql}\n${plan}`);
  }
});
