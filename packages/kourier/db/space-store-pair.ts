import type { TestContext } from 'node:test';
import { newDatabase } from '../../agent/db/postgres-server.ts';
import { postgresSpaceStore } from '../src/adapters/space-store/postgres/postgres-space-store.ts';
import type { SpaceStore } from '../src/ports/space/space-store.ts';

export async function openStore(t: TestContext, url: string): Promise<SpaceStore> {
  const store = postgresSpaceStore({ url });
  await store.open();
  t.after(() => store.close());
  return store;
}

/** Two stores on one database, as two processes have them. */
export async function pair(t: TestContext) {
  const url = await newDatabase();
  const [one, two] = await Promise.all([openStore(t, url), openStore(t, url)]);
  return { url, one, two, both: [one, two] as const };
}
