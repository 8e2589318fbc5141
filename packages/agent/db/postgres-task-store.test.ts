import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { begin, COMPLETED, move, newTask } from '../contract/task-work.ts';
import { PostgresTaskStore } from '../src/index.ts';
import { breakable } from './breakable.ts';
import { newDatabase, query } from './postgres-server.ts';

async function open(t: TestContext, url: string): Promise<PostgresTaskStore> {
  const store = new PostgresTaskStore({ url });
  await store.open();
  t.after(() => store.close());
  return store;
}

test('processes that start at once on an empty database make one schema', async (t) => {
  const url = await newDatabase();
  const stores = await Promise.all(Array.from({ length: 4 }, () => open(t, url)));
  for (const [n, store] of stores.entries()) await begin(store, { id: `t${n}` });
  assert.deepEqual(await query(url, 'SELECT count(*)::int AS stores FROM agent_store'), [{ stores: 1 }]);
});

test('tables of a newer version are refused, and left as they are', async (t) => {
  const url = await newDatabase();
  await (await open(t, url)).close();
  await query(url, 'UPDATE agent_schema SET version = 99');
  await assert.rejects(new PostgresTaskStore({ url }).open(), {
    message: /newer version.*schema is 99.*Start that one/,
  });
  assert.deepEqual(await query(url, 'SELECT version FROM agent_schema'), [{ version: 99 }]);
});

test('a database that cannot be had is told with its reason, and without the password', async () => {
  const url = 'postgres://ada:secret@127.0.0.1:1/tasks';
  await assert.rejects(new PostgresTaskStore({ url }).open(), (error) => {
    assert.match(String(error), /cannot be had: connect ECONNREFUSED 127.0.0.1:1\. Look whether/);
    assert.doesNotMatch(String(error), /secret/);
    return true;
  });
  await assert.rejects(new PostgresTaskStore({ url }).read('t'), { message: /not open: call open/ });
});

test('without the driver the store says what to install, and the rest of the package works', async () => {
  const hooks = `import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      if (name === 'pg') throw Object.assign(new Error('no pg'), { code: 'ERR_MODULE_NOT_FOUND' });
      return next(name, context);
    } });`;
  const script = `import { PostgresTaskStore } from './src/index.ts';
    await new PostgresTaskStore({ url: 'postgres://x' }).open().catch((error) => console.log(error.message));`;
  const args = ['--import', `data:text/javascript,${encodeURIComponent(hooks)}`, '--input-type=module', '-e', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: join(import.meta.dirname, '..') });
  assert.equal(stdout, 'PostgresTaskStore needs the driver of PostgreSQL: npm install pg\n');
});

test('a connection that breaks at the commit leaves no doubt whether it was done', async (t) => {
  const { url, cut } = await breakable(t, await newDatabase());
  const store = await open(t, url);
  const task = newTask({ id: 't' });
  cut('COMMIT\0');
  const key = { messageId: 'message-t', contextId: task.contextId };
  assert.deepEqual(await store.begin(task.change(), key), { kind: 'begun' });
  assert.equal((await store.read('t'))?.version, 1);
  // Before the commit it is certain that nothing was done.
  cut('UPDATE agent_tasks');
  await assert.rejects(async () => store.commit(task.change()));
  assert.equal((await store.read('t'))?.version, 1);
  // And the next change finds another connection.
  await move(store, await begin(store, { id: 'u' }), COMPLETED);
});

test('a change that fails in the database fails alone', async (t) => {
  const url = await newDatabase();
  const store = await open(t, url);
  await query(url, "ALTER TABLE agent_tasks ADD CHECK (id <> 'bad')");
  const tries = ['good', 'bad', 'better'].map((id) => begin(store, { id }));
  const outcomes = (await Promise.allSettled(tries)).map(({ status }) => status);
  assert.deepEqual(outcomes, ['fulfilled', 'rejected', 'fulfilled']);
});
