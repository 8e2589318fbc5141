import type { TestContext } from 'node:test';
import { newDatabase } from '../../agent/db/postgres-server.ts';
import { spaceStoreContract } from '../contract/space-store.ts';
import { postgresSpaceStore } from '../src/adapters/space-store/postgres/postgres-space-store.ts';
import type { SpaceStore } from '../src/ports/space/space-store.ts';

const urls = new Map<SpaceStore, string>();

async function open(t: TestContext, url: string): Promise<SpaceStore> {
  const store = postgresSpaceStore({ url });
  await store.open();
  urls.set(store, url);
  t.after(() => store.close());
  return store;
}

spaceStoreContract({
  name: 'postgres',
  make: async (t) => open(t, await newDatabase()),
  reopen: async (t, store) => {
    await store.close();
    return open(t, urls.get(store) ?? '');
  },
  shared: true,
  stories: 15,
});
