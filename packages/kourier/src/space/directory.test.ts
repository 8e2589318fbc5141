import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { agent, revision, saved } from '../../contract/space-store-samples.ts';
import { sqliteSpaceStore } from '../adapters/space-store/sqlite/sqlite-space-store.ts';
import type { DirectoryStore } from '../ports/space/directory-store.ts';
import { Directory, type DirectoryReader } from './directory.ts';
import { SPACE_LIMITS } from './limits.ts';

async function storeFor(t: TestContext) {
  const store = sqliteSpaceStore({ path: ':memory:' });
  await store.open();
  t.after(() => store.close());
  return store;
}

function told(): DirectoryReader & { readonly changes: string[] } {
  const changes: string[] = [];
  return {
    changes,
    saved: ({ space, id }) => void changes.push(`+${space}/${id}`),
    removed: (space, id) => void changes.push(`-${space}/${id}`),
  };
}

test('every question sees what was written before it, in any process', async (t) => {
  const store = await storeFor(t);
  const reader = told();
  const directory = new Directory(store, [reader]);
  assert.equal(await directory.agent('demo', 'a'), undefined);
  const first = await saved(store, agent('a', { current: revision(1) }));
  assert.deepEqual(await directory.agent('demo', 'a'), first);
  const second = await saved(store, agent('a', { current: revision(1), disabled: true }), first);
  assert.deepEqual(await directory.agentsOf('demo'), [second]);
  assert.deepEqual(await directory.agentsOf('other'), []);
  await store.removeAgent(second);
  assert.equal(await directory.agent('demo', 'a'), undefined);
  await saved(store, agent('a'));
  assert.notEqual(await directory.agent('demo', 'a'), undefined);
  assert.deepEqual(reader.changes, ['+demo/a', '+demo/a', '-demo/a', '+demo/a']);
});

test('more changes than are read at once come all, whether they were made or unmade', async (t) => {
  const store = await storeFor(t);
  const many = SPACE_LIMITS.directoryChanges * 5 + 7;
  const all = await Promise.all(Array.from({ length: many }, (_, at) => saved(store, agent(`agent-${at}`))));
  const [before, after] = [new Directory(store, []), new Directory(store, [])];
  assert.equal((await before.agentsOf('demo')).length, many);
  await Promise.all(all.slice(7).map((known) => store.removeAgent(known)));
  for (const directory of [before, after]) assert.equal((await directory.agentsOf('demo')).length, 7);
});

test('who asks while another reads gets a reading that began after it asked, and many share it', async (t) => {
  const store = await storeFor(t);
  const gates: PromiseWithResolvers<void>[] = [];
  const slow: Pick<DirectoryStore, 'changes'> = {
    async changes(sequence, limit) {
      const changes = await store.changes(sequence, limit);
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      await gate.promise;
      return changes;
    },
  };
  const directory = new Directory(slow, []);
  const first = directory.agent('demo', 'a');
  await store.counts();
  await saved(store, agent('a'));
  const later = Array.from({ length: 10 }, () => directory.agent('demo', 'a'));
  gates[0]?.resolve();
  assert.equal(await first, undefined);
  await store.counts();
  gates[1]?.resolve();
  for (const asked of later) assert.equal((await asked)?.id, 'a');
  assert.equal(gates.length, 2);
});

test('a reading that fails is told to those who asked for it, and to nobody after', async (t) => {
  const store = await storeFor(t);
  await saved(store, agent('a'));
  let readings = 0;
  const began = Promise.withResolvers<void>();
  const fails = Promise.withResolvers<never>();
  const directory = new Directory(
    {
      changes(...asked) {
        readings += 1;
        began.resolve();
        return readings === 1 ? fails.promise : store.changes(...asked);
      },
    },
    [],
  );
  const one = directory.agent('demo', 'a');
  await began.promise;
  const two = directory.agent('demo', 'a');
  fails.reject(new Error('no store'));
  await assert.rejects(one, /no store/);
  assert.equal((await two)?.id, 'a');
});

test('its readers are told of every agent again when what they make of them may have changed', async (t) => {
  const store = await storeFor(t);
  await saved(store, agent('a'));
  await saved(store, agent('b', { space: 'other' }));
  const reader = told();
  const directory = new Directory(store, [reader]);
  await directory.refresh();
  reader.changes.length = 0;
  directory.reconsider();
  assert.deepEqual(reader.changes, ['+demo/a', '+other/b']);
});
