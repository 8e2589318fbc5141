import { agent, revision, saved, seen, task } from '../contract/space-store-samples.ts';
import { sqliteSpaceStore } from '../src/adapters/space-store/sqlite/sqlite-space-store.ts';
import type { SpaceStore } from '../src/ports/space/space-store.ts';

/**
 * Writes to a Space until it is killed, a line on stdout for each write that was acknowledged: `began TASK`, `observed TASK N`,
 * `saved AGENT N`, `used JTI`. Arguments: the store's path, the round's name.
 */
const [, , path = '', round = ''] = process.argv;
const WRITERS = 6;
const MOST_WRITES = 100_000;

const report = (line: string): boolean => process.stdout.write(`${line}\n`);

async function observeAll(store: SpaceStore, id: string): Promise<void> {
  await store.prepareTask({ task: task(id, { updatedAt: 0 }), idempotency: { token: id, requestSha256: 'aa' } });
  report(`began ${id}`);
  for (let n = 1; n < MOST_WRITES; n += 1) {
    const remoteTaskId = `remote-${id}`;
    await store.observe(seen(id, { remoteTaskId, state: 'working', at: n, owed: [{ sink: 's', payload: `${n}` }] }));
    report(`observed ${id} ${n}`);
    await store.usePermit(`${id}/${n}`, 10_000, 1_000);
    report(`used ${id}/${n}`);
  }
}

async function saveAll(store: SpaceStore, id: string): Promise<void> {
  let before = await saved(store, agent(id, { current: revision(1) }));
  for (let number = 2; number < MOST_WRITES; number += 1) {
    before = await saved(store, agent(id, { current: revision(number) }), before);
    report(`saved ${id} ${number}`);
  }
}

const store = sqliteSpaceStore({ path });
await store.open();
const names = Array.from({ length: WRITERS }, (_, n) => `${round}-${n}`);
await Promise.all(names.flatMap((name) => [observeAll(store, `task-${name}`), saveAll(store, `agent-${name}`)]));
