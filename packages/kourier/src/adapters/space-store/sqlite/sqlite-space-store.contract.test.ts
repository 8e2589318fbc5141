import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { spaceStoreContract } from '../../../../contract/space-store.ts';
import type { SpaceStore } from '../../../ports/space/space-store.ts';
import { sqliteSpaceStore } from './sqlite-space-store.ts';

const paths = new Map<SpaceStore, string>();

async function open(t: TestContext, path: string): Promise<SpaceStore> {
  const store = sqliteSpaceStore({ path });
  await store.open();
  paths.set(store, path);
  t.after(() => store.close());
  return store;
}

spaceStoreContract({
  name: 'sqlite',
  make: async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'kourier-space-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    return open(t, join(folder, 'data', 'space.db'));
  },
  reopen: async (t, store) => {
    await store.close();
    return open(t, paths.get(store) ?? '');
  },
  shared: false,
  stories: 100,
});
