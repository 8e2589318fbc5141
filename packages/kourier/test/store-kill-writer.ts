import assert from 'node:assert/strict';
import { answer, auditRecord, lease, message } from '../contract/store-samples.ts';
import { StoreInUse } from '../src/adapters/sqlite/store-error.ts';
import { sqliteStore } from '../src/adapters/store/sqlite/sqlite-store.ts';
import type { ContextId, EntryId, ThreadId } from '../src/core/thread/ids.ts';
import type { Store } from '../src/ports/store.ts';

/**
 * Writes to a store until it is killed, a line on stdout for each write that was acknowledged:
 * `opened THREAD`, `accepted THREAD N`, `committed THREAD N`, `placed THREAD N`, `delivered THREAD N`; `in-use` when the store has another owner.
 * Arguments: the store's path, the round's name.
 */
const [, , path = '', round = ''] = process.argv;
const WRITERS = 8;
const MOST_WRITES = 100_000;

async function main(): Promise<void> {
  try {
    const store = await sqliteStore({ path });
    await Promise.all(Array.from({ length: WRITERS }, (_, index) => write(store, `${round}-${index}` as ThreadId)));
  } catch (error) {
    if (!(error instanceof StoreInUse)) throw error;
    report('in-use');
  }
}

async function write(store: Store, id: ThreadId): Promise<void> {
  await store.open({ id, binding: 'ops', platform: 'chat' }, message('m0'), { key: id, place: id });
  report(`opened ${id}`);
  await store.claim(id, lease(round, 1), 0);
  for (let count = 1; count < MOST_WRITES; count++) {
    const accepting = store.accept(id, message(`m${count}`), { key: `k${count}` });
    if (count % 2 === 0) await accepting;
    const committing = store.commit({
      owner: round,
      thread: { id, binding: 'ops', contextId: `${count}` as ContextId },
      status: 'running',
      owes: true,
      entries: [answer(`left-${count}`), answer('last', `${count}`), answer(`right-${count}`, 'x'.repeat(3_000))],
      taken: [`m${count - 1}` as EntryId],
      audit: ['a', 'b'].map((half) => auditRecord(`${half}${count}`, { thread: id })),
    });
    const delivering = count % 3 === 0 ? deliver(store, id, count) : undefined;
    await accepting;
    report(`accepted ${id} ${count}`);
    await committing;
    report(`committed ${id} ${count}`);
    await delivering;
  }
}

/** After message and commit `count`, which make the revision `1 + 2 * count`: every other time all of it is shown. */
async function deliver(store: Store, id: ThreadId, count: number): Promise<void> {
  const placing = store.addPlace(id, `${id}/${count}`);
  const revision = count % 2 === 0 ? 1 + 2 * count : count;
  const delivering = store.deliver(id, { revision, state: { count, posts: 'x'.repeat(count % 5_000) } });
  assert.equal(await placing, 'added');
  report(`placed ${id} ${count}`);
  await delivering;
  report(`delivered ${id} ${count}`);
}

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main();
