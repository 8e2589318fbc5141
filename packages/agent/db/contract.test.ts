import type { TestContext } from 'node:test';
import { taskStoreContract } from '../contract/task-store.ts';
import { PostgresTaskStore } from '../src/index.ts';
import type { TaskStore } from '../src/store/task-store.ts';
import { newDatabase } from './postgres-server.ts';

const keeps = { finishedTasks: 20, pausedTasks: 5, contexts: 5 };
const urls = new Map<TaskStore, string>();

async function open(t: TestContext, url: string): Promise<TaskStore> {
  const store = new PostgresTaskStore({ url, ...keeps });
  await store.open();
  urls.set(store, url);
  t.after(() => store.close());
  return store;
}

taskStoreContract({
  name: 'postgres',
  keeps,
  make: async (t) => open(t, await newDatabase()),
  reopen: async (t, store) => {
    await store.close();
    return open(t, urls.get(store) ?? '');
  },
});
