// What stays in the file, besides what the port promises.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { artifact, assertStored, begin, move, WORKING } from '../../../contract/task-work.ts';
import { AGENT_LIMITS } from '../../limits.ts';
import { SqliteTaskStore } from './sqlite-task-store.ts';

function pathFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'tasks-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'tasks.db');
}

test('how tasks once stood is forgotten when no walk can ask for it any more', async (t) => {
  const path = pathFor(t);
  const store = new SqliteTaskStore({ path });
  await store.open();
  const [old, task] = [await begin(store, { id: 'old' }), await begin(store, { id: 'task' })];
  for (const [n, each] of [old, task].entries()) await move(store, each, WORKING, 2_000 + n);
  await store.close();
  const db = new DatabaseSync(path);
  const count = () => db.prepare('SELECT count(*) AS stamps FROM agent_stamps').get()?.['stamps'];
  assert.equal(count(), 4);
  db.exec(`UPDATE agent_store SET sequence = sequence + ${AGENT_LIMITS.walkChanges}`);
  db.close();
  await store.open();
  await move(store, task, WORKING, 3_000);
  await store.close();
  const after = new DatabaseSync(path);
  t.after(() => after.close());
  const left = after.prepare('SELECT task, at FROM agent_stamps ORDER BY at').all();
  assert.deepEqual(
    left.map((row) => Number(row['at'])),
    [2_000, 2_001, 3_000],
  );
});

test('an artifact that is replaced leaves nothing of what it was, and stays in its place', async (t) => {
  const path = pathFor(t);
  const store = new SqliteTaskStore({ path });
  await store.open();
  const task = await begin(store, { id: 'task' });
  for (const id of ['a', 'b']) task.write({ artifact: artifact(id, 'first'), append: false });
  for (let n = 0; n < 50; n += 1) {
    task.write({ artifact: artifact('a', `edition ${n}`), append: false });
    await store.commit(task.change());
    task.write({ artifact: artifact('a', ' and more'), append: true });
    await store.commit(task.change());
  }
  await assertStored(store, task);
  await store.close();
  const db = new DatabaseSync(path);
  t.after(() => db.close());
  const rows = db.prepare("SELECT count(*) AS artifacts FROM agent_entries WHERE kind = 'artifact'").get();
  assert.equal(rows?.['artifacts'], 3);
});
