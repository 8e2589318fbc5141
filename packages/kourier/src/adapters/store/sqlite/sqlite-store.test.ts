import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { auditRecord, commit } from '../../../../contract/store-samples.ts';
import type { EntryId, ThreadId, TurnId } from '../../../core/thread/ids.ts';
import type { Message } from '../../../core/thread/message.ts';
import { migrate } from '../../sqlite/migrate.ts';
import { openDatabase } from '../../sqlite/open-database.ts';
import { StoreError } from '../../sqlite/store-error.ts';
import { KOURIER_FILE } from './migrations/migrations.ts';
import { sqliteStore, storeOn } from './sqlite-store.ts';
import { prepareStatements } from './statements.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const THREAD = 'thread-1' as ThreadId;
const FIRST = { id: THREAD, binding: 'ops', platform: 'web' };

test("a dead process's leases are gone when the store is opened again", async (t) => {
  const path = pathIn(t);
  const before = await sqliteStore({ path });
  await before.open(FIRST, message('m1'));
  await before.claim(THREAD, { owner: 'earlier life', untilMs: 1e15 }, 0);
  await before.close();
  const after = await sqliteStore({ path });
  assert.equal((await after.claim(THREAD, { owner: 'this life', untilMs: 1 }, 0)).kind, 'claimed');
  await after.close();
});

test('keys are known for 7 days before the newest, and dropped when the store is opened', async (t) => {
  const path = pathIn(t);
  const before = await sqliteStore({ path });
  await before.open(FIRST, message('m1', 0));
  await before.accept(THREAD, message('m2', DAY_MS - 1), { key: 'old' });
  await before.accept(THREAD, message('m3', DAY_MS), { key: 'young' });
  await before.accept(THREAD, message('m4', 8 * DAY_MS), { key: 'new' });
  assert.equal((await before.accept(THREAD, message('m5'), { key: 'old' })).kind, 'repeated');
  await before.close();
  const after = await sqliteStore({ path });
  assert.equal((await after.accept(THREAD, message('m6'), { key: 'young' })).kind, 'repeated');
  assert.equal((await after.accept(THREAD, message('m7'), { key: 'new' })).kind, 'repeated');
  assert.equal((await after.accept(THREAD, message('m8'), { key: 'old' })).kind, 'accepted');
  await after.close();
});

test('a full disk rejects what does not fit, says what to do and nothing of the row, and loses nothing', async (t) => {
  const path = pathIn(t);
  const db = openDatabase(path, KOURIER_FILE);
  const store = storeOn(db, path);
  await store.open(FIRST, message('m1'));
  const pages = Number(db.pragma('page_count', { simple: true }));
  db.pragma(`max_page_count = ${pages + 4}`);
  const secret = 'secret '.repeat(20_000);
  const asked = await Promise.allSettled([
    store.accept(THREAD, message('m2', 0, secret), { key: 'k' }),
    store.accept(THREAD, message('m3')),
  ]);
  const [big, small] = asked;
  assert.ok(big.status === 'rejected' && big.reason instanceof StoreError);
  assert.equal(big.reason.code, 'SQLITE_FULL');
  assert.match(big.reason.message, /free some space/);
  assert.doesNotMatch(`${big.reason.stack}`, /secret/);
  const kept = ['m1', ...(small.status === 'fulfilled' ? ['m3'] : [])];
  assert.deepEqual(
    (await store.timeline(THREAD))?.entries.map(({ id }) => id),
    kept,
  );
  db.pragma(`max_page_count = ${pages + 1_000}`);
  assert.equal((await store.accept(THREAD, message('m2', 0, secret), { key: 'k' })).kind, 'accepted');
  await store.close();
  const after = await sqliteStore({ path });
  assert.deepEqual(
    (await after.timeline(THREAD))?.entries.map(({ id }) => id),
    [...kept, 'm2'],
  );
  await after.close();
});

test('a constraint that fails is named without what is stored', async (t) => {
  const store = await sqliteStore({ path: pathIn(t) });
  await store.open(FIRST, message('secret'));
  await assert.rejects(store.accept(THREAD, message('secret')), (error) => {
    assert.ok(error instanceof StoreError);
    assert.match(error.code, /^SQLITE_CONSTRAINT/);
    assert.doesNotMatch(`${error.message} ${error.stack} ${error.cause}`, /secret/);
    return true;
  });
  await store.close();
});

test('the audit refuses whoever has the file: no record is changed, deleted or replaced', async (t) => {
  const path = pathIn(t);
  const db = openDatabase(path, KOURIER_FILE);
  const store = storeOn(db, path);
  await store.open(FIRST, message('m1'));
  await store.claim(THREAD, { owner: 'a', untilMs: 1 }, 0);
  await store.commit(commit({ audit: [auditRecord('r1'), auditRecord('r2')] }));
  const before = await store.audit({ limit: 10 });
  for (const attempt of [
    "UPDATE audit SET json = '{}'",
    'UPDATE audit SET number = 9 WHERE number = 2',
    "UPDATE OR REPLACE audit SET thread = 'x'",
    'DELETE FROM audit',
    'DELETE FROM audit WHERE number = 1',
    "REPLACE INTO audit (number, thread, json) VALUES (1, 'x', '{}')",
    "INSERT OR IGNORE INTO audit (number, thread, json) VALUES (2, 'x', '{}')",
    "INSERT INTO audit (number, thread, json) VALUES (2, 'x', '{}') ON CONFLICT DO UPDATE SET json = '{}'",
  ]) {
    assert.throws(() => db.exec(attempt), /append-only/, attempt);
  }
  for (const number of [0, -1]) {
    const attempt = `INSERT INTO audit (number, thread, json) VALUES (${number}, 'x', '{}')`;
    assert.throws(() => db.exec(attempt), /CHECK/, attempt);
  }
  assert.equal(before.length, 2);
  assert.deepEqual(await store.audit({ limit: 10 }), before);
  await store.close();
});

test('a store from before the audit opens with all that it had, and its entries are found', async (t) => {
  const path = pathIn(t);
  const old = new Database(path);
  migrate(old, path, fileAt(1));
  old.exec(`INSERT INTO threads (id, binding, status, revision) VALUES ('${THREAD}', 'ops', 'idle', 1)`);
  const entry = JSON.stringify({ kind: 'message', id: 'm0', text: 'hi', at: '2023-11-14T22:13:20.000Z' });
  old.prepare("INSERT INTO entries (thread, id, revision, json) VALUES (1, 'm0', 1, ?)").run(entry);
  old.close();
  const store = await sqliteStore({ path });
  assert.deepEqual((await store.timeline(THREAD))?.entries, [JSON.parse(entry)]);
  assert.equal(await store.threadOf('m0' as EntryId), THREAD);
  assert.deepEqual(await store.audit({ limit: 10 }), []);
  await store.claim(THREAD, { owner: 'a', untilMs: 1 }, 0);
  await store.commit(commit({ audit: [auditRecord('r1')] }));
  assert.equal((await store.audit({ limit: 10 })).length, 1);
  await store.close();
});

test('a store from before places and deliveries had tables of their own opens with its places, and owes all of it', async (t) => {
  const path = pathIn(t);
  const old = new Database(path);
  migrate(old, path, fileAt(2));
  old.exec(`INSERT INTO threads (id, binding, place, status, revision) VALUES
    ('thread-2', 'ops', 'p', 'idle', 1), ('${THREAD}', 'ops', NULL, 'idle', 3), ('thread-3', 'research', 'p', 'idle', 1)`);
  old.close();
  const store = await sqliteStore({ path });
  assert.deepEqual([await store.threadAt('ops', 'p'), await store.threadAt('research', 'p')], ['thread-2', 'thread-3']);
  assert.deepEqual(await store.placesOf(THREAD), []);
  assert.equal(await store.addPlace(THREAD, 'p'), 'taken');
  const placed = await store.open({ ...FIRST, id: 'thread-4' as ThreadId }, message('m1'), { place: 'p' });
  assert.ok(placed.kind === 'accepted' && placed.thread === 'thread-2');
  assert.deepEqual(await store.undelivered('web', 10), ['thread-2', THREAD, 'thread-3']);
  assert.equal(await store.delivery(THREAD), undefined);
  await store.deliver(THREAD, { revision: 3, state: {} });
  assert.deepEqual(await store.undelivered('web', 10), ['thread-2', 'thread-3']);
  await store.close();
});

test('what is asked often asks an index, however many threads and entries there are', (t) => {
  const db = openDatabase(pathIn(t), KOURIER_FILE);
  const sql = prepareStatements(db);
  const planOf = ({ source }: { readonly source: string }): readonly string[] => {
    const values = Array.from(source.matchAll(/\?/g), () => 1);
    const plan = db.prepare<number[], { detail: string }>(`EXPLAIN QUERY PLAN ${source}`).all(...values);
    return plan.map(({ detail }) => detail);
  };
  const { owing, entries, thread, held, takePending, extendLeases, writeThread, writeMessage, threadOf, audit } = sql;
  const { threadAt, placesOf, delivery, oweDelivery, deliver } = sql;
  const often = [
    ...[owing, entries, thread, held, takePending, extendLeases, writeThread, writeMessage, threadOf, audit],
    ...[threadAt, placesOf, delivery, oweDelivery],
    { source: deliver.source.replaceAll(/@\w+/g, '?') },
  ];
  for (const statement of often) {
    const plan = planOf(statement);
    assert.ok(plan.length > 0, statement.source);
    for (const detail of plan) assert.doesNotMatch(detail, /^SCAN/, statement.source);
  }
  // In the order of the index, so that a page costs what it holds.
  assert.deepEqual(planOf(sql.auditOf), ['SEARCH audit USING INDEX audit_by_thread (thread=? AND number<?)']);
  assert.deepEqual(planOf(sql.undelivered), [
    'SEARCH deliveries USING COVERING INDEX deliveries_owed (platform=? AND owed_since>?)',
    'SEARCH threads USING INTEGER PRIMARY KEY (rowid=?)',
  ]);
  db.close();
});

function message(id: string, atMs = 0, text = id): Message {
  return { id: id as EntryId, turnId: `turn-${id}` as TurnId, text, atMs };
}

function pathIn(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'kourier-store-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'kourier.db');
}

/** The file as an older version left it. */
function fileAt(version: number) {
  return { ...KOURIER_FILE, migrations: KOURIER_FILE.migrations.slice(0, version) };
}
