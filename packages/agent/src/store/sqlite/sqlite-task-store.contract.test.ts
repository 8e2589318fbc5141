import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pushStoreContract } from '../../../contract/push-store.ts';
import { taskStoreContract } from '../../../contract/task-store.ts';
import type { TaskStore } from '../task-store.ts';
import { SqliteTaskStore } from './sqlite-task-store.ts';

const keeps = { finishedTasks: 20, pausedTasks: 5, contexts: 5 };
const paths = new Map<TaskStore, string>();

async function open(t: TestContext, path: string): Promise<SqliteTaskStore> {
  const store = new SqliteTaskStore({ path, ...keeps });
  await store.open();
  paths.set(store, path);
  t.after(() => store.close());
  return store;
}

const kind = {
  name: 'sqlite',
  keeps,
  make: async (t: TestContext) => {
    const folder = mkdtempSync(join(tmpdir(), 'tasks-'));
    t.after(() => rmSync(folder, { recursive: true }));
    return open(t, join(folder, 'data', 'tasks.db'));
  },
  reopen: async (t: TestContext, store: TaskStore) => {
    await store.close();
    return open(t, paths.get(store) ?? '');
  },
};

taskStoreContract(kind);
pushStoreContract(kind);
