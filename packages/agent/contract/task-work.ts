import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Begun, TaskRecord, TaskStore } from '../src/store/task-store.ts';
import { LiveTask } from '../src/task/live-task.ts';
import type { WireArtifact, WireState, WireStatus } from '../src/task/wire.ts';

/** A kind of store, as its suite asks for it. */
export interface StoreKind {
  readonly name: string;
  /** A new, empty and open store; it is closed after the test. */
  make(t: TestContext): Promise<TaskStore>;
  /** The next process on what the store has; absent where that is gone with its process. */
  readonly reopen?: (t: TestContext, store: TaskStore) => Promise<TaskStore>;
  /** What a store of `make` keeps. */
  readonly keeps: { readonly finishedTasks: number; readonly pausedTasks: number; readonly contexts: number };
}

export interface TaskFields {
  readonly id: string;
  readonly owner?: string;
  readonly contextId?: string;
  readonly messageId?: string;
  /** Milliseconds since the epoch. */
  readonly at?: number;
}

export const WORKING = 'TASK_STATE_WORKING';
export const COMPLETED = 'TASK_STATE_COMPLETED';
export const PAUSED = 'TASK_STATE_INPUT_REQUIRED';

export const status = (state: WireState, at: number): WireStatus => ({
  state,
  timestamp: new Date(at).toISOString(),
});

export function newTask({
  id,
  owner = '',
  contextId = `context-${id}`,
  messageId = `message-${id}`,
  at = 1_000,
}: TaskFields) {
  const task = new LiveTask({
    id,
    contextId,
    owner,
    skillId: '',
    status: status('TASK_STATE_SUBMITTED', at),
    history: [],
    artifacts: [],
    journal: [],
    version: 0,
  });
  task.converse({ messageId, role: 'ROLE_USER', parts: [{ text: `of ${id}` }] });
  return task;
}

/** Takes a task up, its message sent with its context. */
export async function begin(store: TaskStore, fields: TaskFields): Promise<LiveTask> {
  const task = newTask(fields);
  const begun = await tryToBegin(store, task);
  assert.deepEqual(begun, { kind: 'begun' });
  return task;
}

export async function tryToBegin(store: TaskStore, task: LiveTask): Promise<Begun> {
  const messageId = task.history[0]?.messageId ?? '';
  return store.begin(task.change(), { messageId, contextId: task.contextId });
}

export async function move(store: TaskStore, task: LiveTask, state: WireState, at = 1_000): Promise<void> {
  const next = status(state, at);
  await store.commit(task.change(next));
  task.enter(next);
}

/** A task that has ended. */
export async function finished(store: TaskStore, fields: TaskFields): Promise<LiveTask> {
  const task = await begin(store, fields);
  await move(store, task, COMPLETED, fields.at);
  return task;
}

export function artifact(artifactId: string, text: string, fields: Partial<WireArtifact> = {}): WireArtifact {
  return { artifactId, parts: [{ text }], ...fields };
}

/** As text, since the order of keys counts. */
export async function assertStored(store: TaskStore, task: TaskRecord): Promise<void> {
  const stored = await store.read(task.id);
  assert.ok(stored !== undefined, `${task.id} is stored`);
  assert.equal(textOf(stored), textOf(task));
}

function textOf({
  id,
  contextId,
  owner,
  skillId,
  status,
  history,
  artifacts,
  journal,
  version,
  characters,
}: TaskRecord) {
  const record = { id, contextId, owner, skillId, status, history, artifacts, journal, version, characters };
  return JSON.stringify(record, undefined, 1);
}

export const idsOf = (tasks: readonly TaskRecord[]): readonly string[] => tasks.map(({ id }) => id);
