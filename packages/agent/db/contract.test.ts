import type { TestContext } from 'node:test';
import { pushStoreContract } from '../contract/push-store.ts';
import { taskStoreContract } from '../contract/task-store.ts';
import { PostgresTaskStore } from '../src/index.ts';
import type { TaskStore } from '../src/store/task-store.ts';
import { newDatabase } from './postgres-server.ts';

const keeps = { finishedTasks: 20, pausedTasks: 5, contexts: 5 };
const urls = new Map<TaskStore, string>();

async function open(t: TestContext, url: string): Promise<PostgresTaskStore> {
  const store = new PostgresTaskStore({ url, ...keeps });
  await store.open();
  urls.set(store, url);
  t.after(() => store.close());
  return store;
}

const kind = {
  name: 'postgres',
  keeps,
  make: async (t: TestContext) => open(t, await newDatabase()),
  reopen: async (t: TestContext, store: TaskStore) => {
    await store.close();
    return open(t, urls.get(store) ?? '');
  },
};

taskStoreContract(kind);
pushStoreContract(kind);
