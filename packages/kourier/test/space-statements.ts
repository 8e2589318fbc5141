import assert from 'node:assert/strict';
import { agent, claimOne, prepared, revision, saved, seen, task } from '../contract/space-store-samples.ts';
import { type SqlDatabase, SqlSpaceStore } from '../src/adapters/space-store/sql/sql-space-store.ts';
import type { Steps } from '../src/adapters/space-store/sql/steps.ts';
import type { SpaceStore } from '../src/ports/space/space-store.ts';

/** Every statement of the store as a database is asked it, each once. */
export async function statementsOn(db: SqlDatabase): Promise<readonly string[]> {
  const heard = new Set<string>();
  function* listen<Value>(steps: Steps<Value>): Steps<Value> {
    let step = steps.next();
    while (!step.done) {
      heard.add(step.value.sql);
      step = steps.next(yield step.value);
    }
    return step.value;
  }
  const store = new SqlSpaceStore({
    dialect: db.dialect,
    open: () => db.open(),
    close: () => db.close(),
    read: (work) => db.read(() => listen(work())),
    write: (work) => db.write(() => listen(work())),
  });
  await askForAgents(store);
  await askForTasks(store);
  await askForQueues(store);
  return [...heard];
}

async function askForAgents(store: SpaceStore): Promise<void> {
  const one = await saved(store, agent('a', { current: revision(1), pending: revision(2, { state: 'pending' }) }));
  const two = await saved(store, agent('a', { current: revision(2) }), one);
  await store.changes(0, 10);
  await store.revisions('demo', 'a', { before: 2, limit: 1 });
  await store.revision('demo', 'a', 1);
  await store.agent('demo', 'a');
  await store.removeAgent(two);
}

async function askForTasks(store: SpaceStore): Promise<void> {
  const idempotency = { token: 't', requestSha256: 'aa' };
  for (const id of ['task-1', 'task-2']) await store.prepareTask({ task: task(id), idempotency });
  await store.observe(seen('task-1', { remoteTaskId: 'r', owed: [{ sink: 's', payload: '1' }] }));
  await store.taskOfRemote('demo', 'a', 'r');
  for (const caller of [{}, { caller: 'ada' }]) await store.tasks('demo', { ...caller, limit: 1 });
  await store.claimContext({ space: 'demo', agent: 'a', contextId: 'c', caller: 'ada' });
  await store.usePermit('jti', 9_000, 1_000);
}

async function askForQueues(store: SpaceStore): Promise<void> {
  await prepared(store, 'task-3');
  for (const payload of ['1', '2']) await store.observe(seen('task-3', { owed: [{ sink: 's', payload }] }));
  const [one, two] = [await claimOne(store, 3_000), await claimOne(store, 3_000)];
  const three = one.taskId === 'task-3' ? one : two;
  const [first] = await store.owed(three.id, 1);
  assert.equal(await store.delivered(three, first?.sequence ?? 0), true);
  const [second] = await store.owed(three.id, 1);
  await store.release(three, 3_000);
  await store.delivered(three, second?.sequence ?? 0);
  const left = three === one ? two : one;
  await store.failed(left, { error: 'gone', now: 3_000 });
  await store.dead('demo', { limit: 1 });
  await store.replay('demo', left.id, 3_000);
  await store.owedSinks();
  await store.counts();
}
