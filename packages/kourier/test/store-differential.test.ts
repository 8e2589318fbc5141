import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { storeDifferential } from '../contract/store-differential.ts';
import { memoryStore } from '../src/adapters/store/memory/memory-store.ts';
import { sqliteStore } from '../src/adapters/store/sqlite/sqlite-store.ts';

for (const seed of [1, 2, 3, 4, 5]) {
  test(`SQLite answers as the memory store does, seed ${seed}`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kourier-store-'));
    const sqlite = await sqliteStore({ path: join(folder, 'kourier.db') });
    try {
      assert.ok((await storeDifferential(memoryStore(), sqlite, seed)) >= 1_000);
    } finally {
      await sqlite.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
}
