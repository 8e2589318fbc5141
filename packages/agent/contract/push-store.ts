import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { AGENT_LIMITS } from '../src/limits.ts';
import type { PushStore } from '../src/push/push-store.ts';
import type { Webhook } from '../src/push/webhook.ts';
import type { TaskStore } from '../src/store/task-store.ts';
import { LiveTask } from '../src/task/live-task.ts';
import type { WireState } from '../src/task/wire.ts';

type Store = TaskStore & PushStore;

/** A kind of store. */
export interface PushStoreKind {
  readonly name: string;
  /** An empty one, open. */
  make(t: TestContext): Promise<Store>;
  /** What the next process has of it, open; absent where nothing survives. */
  reopen?(t: TestContext, store: Store): Promise<Store>;
}

const hook = (taskId: string, id: string, more: Partial<Webhook> = {}): Webhook => ({
  taskId,
  id,
  url: `https://hooks.example/${id}`,
  ...more,
});

const FULL: Partial<Webhook> = { token: 'é"\\', authentication: { scheme: 'Bearer', credentials: 'c' } };

/** Begins a task and brings it to a state, in one commit. */
async function taskIn(store: TaskStore, id: string, state?: WireState): Promise<LiveTask> {
  const status = { state: 'TASK_STATE_SUBMITTED', timestamp: new Date(0).toISOString() } as const;
  const parts = { history: [], artifacts: [], journal: [] };
  const task = new LiveTask({ id, contextId: id, owner: '', skillId: '', status, ...parts, version: 0 });
  task.converse({ messageId: id, role: 'ROLE_USER', parts: [{ text: 'go' }] });
  await store.begin(task.change(), { messageId: id, contextId: undefined });
  if (state !== undefined) await enter(store, task, state);
  return task;
}

async function enter(store: TaskStore, task: LiveTask, state: WireState): Promise<void> {
  const status = { state, timestamp: new Date(task.version).toISOString() };
  await store.commit(task.change(status));
  task.enter(status);
}

const idsOf = async (store: Store, taskId: string) => (await store.webhooks(taskId)).map(({ id }) => id);

/** What every PushStore promises. */
export function pushStoreContract(kind: PushStoreKind): void {
  keepingCases(kind);
  owingCases(kind);
  if (kind.reopen !== undefined) durableCases(kind.name, kind.make, kind.reopen);
}

function keepingCases({ name, make }: PushStoreKind): void {
  test(`${name}: the webhooks of a task are its own, the oldest first`, async (t) => {
    const store = await make(t);
    for (const id of ['one', 'two']) await taskIn(store, id);
    for (const id of ['c', 'a', 'b']) await store.saveWebhook(hook('one', id, FULL));
    await store.saveWebhook(hook('two', 'a'));
    assert.deepEqual(await idsOf(store, 'one'), ['c', 'a', 'b']);
    assert.deepEqual((await store.webhooks('one'))[0], { ...hook('one', 'c', FULL), settled: 0 });
    assert.deepEqual(await store.webhooks('two'), [{ ...hook('two', 'a'), settled: 0 }]);
    await store.deleteWebhook('one', 'a');
    await store.deleteWebhook('one', 'a');
    await store.deleteWebhook('nobody', 'a');
    assert.deepEqual(await idsOf(store, 'one'), ['c', 'b']);
    assert.deepEqual(await idsOf(store, 'two'), ['a']);
  });

  test(`${name}: a webhook saved again changes in its place, and is settled as it was`, async (t) => {
    const store = await make(t);
    await taskIn(store, 'task');
    for (const id of ['a', 'b']) await store.saveWebhook(hook('task', id, FULL));
    await store.settleWebhook('task', 'a', 3);
    assert.equal(await store.saveWebhook(hook('task', 'a', { url: 'https://other.example/' })), 'saved');
    assert.deepEqual(await store.webhooks('task'), [
      { ...hook('task', 'a', { url: 'https://other.example/' }), settled: 3 },
      { ...hook('task', 'b', FULL), settled: 0 },
    ]);
  });

  test(`${name}: C119 a task has so many webhooks and no more, also when they come at once`, async (t) => {
    const store = await make(t);
    await taskIn(store, 'task');
    const ids = Array.from({ length: AGENT_LIMITS.taskWebhooks + 3 }, (_, n) => `w${n}`);
    const saved = await Promise.all(ids.map(async (id) => store.saveWebhook(hook('task', id))));
    assert.equal(saved.filter((each) => each === 'saved').length, AGENT_LIMITS.taskWebhooks);
    assert.equal(saved.filter((each) => each === 'full').length, 3);
    assert.equal((await store.webhooks('task')).length, AGENT_LIMITS.taskWebhooks);
    const [kept = ''] = await idsOf(store, 'task');
    assert.equal(await store.saveWebhook(hook('task', kept, FULL)), 'saved');
    await store.deleteWebhook('task', kept);
    assert.equal(await store.saveWebhook(hook('task', 'new')), 'saved');
  });

  test(`${name}: a task that is not there gets no webhook`, async (t) => {
    const store = await make(t);
    assert.equal(await store.saveWebhook(hook('nothing', 'a')), 'gone');
    assert.deepEqual(await store.webhooks('nothing'), []);
    assert.deepEqual(await store.owedTasks(), []);
  });
}

function owingCases({ name, make }: PushStoreKind): void {
  test(`${name}: what is settled is raised and never lowered`, async (t) => {
    const store = await make(t);
    await taskIn(store, 'task');
    await store.saveWebhook(hook('task', 'a'));
    for (const version of [2, 5, 4]) await store.settleWebhook('task', 'a', version);
    await store.settleWebhook('task', 'other', 9);
    await store.settleWebhook('nothing', 'a', 9);
    assert.deepEqual(
      (await store.webhooks('task')).map(({ settled }) => settled),
      [5],
    );
  });

  test(`${name}: a task that ended or paused is owed until all its webhooks are settled up to it`, async (t) => {
    const store = await make(t);
    const ended = await taskIn(store, 'ended', 'TASK_STATE_COMPLETED');
    const paused = await taskIn(store, 'paused', 'TASK_STATE_INPUT_REQUIRED');
    for (const id of ['working', 'submitted'])
      await taskIn(store, id, id === 'working' ? 'TASK_STATE_WORKING' : undefined);
    await taskIn(store, 'bare', 'TASK_STATE_FAILED');
    for (const taskId of ['ended', 'paused', 'working', 'submitted']) {
      for (const id of ['a', 'b']) await store.saveWebhook(hook(taskId, id));
    }
    assert.deepEqual([...(await store.owedTasks())].toSorted(), ['ended', 'paused']);
    for (const id of ['a', 'b']) await store.settleWebhook('ended', id, ended.version);
    await store.settleWebhook('paused', 'a', paused.version);
    assert.deepEqual(await store.owedTasks(), ['paused']);
    await store.deleteWebhook('paused', 'b');
    assert.deepEqual(await store.owedTasks(), []);
    await enter(store, paused, 'TASK_STATE_WORKING');
    assert.deepEqual(await store.owedTasks(), []);
    await enter(store, paused, 'TASK_STATE_COMPLETED');
    assert.deepEqual(await store.owedTasks(), ['paused']);
  });
}

function durableCases(name: string, make: PushStoreKind['make'], reopen: NonNullable<PushStoreKind['reopen']>): void {
  test(`${name}: the next process finds the webhooks, and what they are owed`, async (t) => {
    const store = await make(t);
    const ended = await taskIn(store, 'ended', 'TASK_STATE_COMPLETED');
    for (const id of ['b', 'a']) await store.saveWebhook(hook('ended', id, FULL));
    await store.settleWebhook('ended', 'b', ended.version);
    const next = await reopen(t, store);
    assert.deepEqual(await next.webhooks('ended'), [
      { ...hook('ended', 'b', FULL), settled: ended.version },
      { ...hook('ended', 'a', FULL), settled: 0 },
    ]);
    assert.deepEqual(await next.owedTasks(), ['ended']);
    await next.deleteWebhook('ended', 'a');
    assert.deepEqual(await (await reopen(t, next)).owedTasks(), []);
  });
}
