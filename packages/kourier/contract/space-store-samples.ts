import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { RegisteredAgent, Revision } from '../src/core/directory/registered-agent.ts';
import type { AgentToSave } from '../src/ports/space/directory-store.ts';
import type { HeldQueue } from '../src/ports/space/outbox-store.ts';
import type { SpaceStore } from '../src/ports/space/space-store.ts';
import type { Observed, PlatformTask, TaskToPrepare } from '../src/ports/space/task-ledger.ts';

/** One kind of store. */
export interface SpaceStoreKind {
  readonly name: string;
  /** A new store, open; it is closed after the test. */
  make(t: TestContext): Promise<SpaceStore>;
  /** Closes a store that `make` gave, and opens another on what it left. */
  reopen(t: TestContext, store: SpaceStore): Promise<SpaceStore>;
  /** Whether several processes have it open at once: what one that died held is held then until its time is over. */
  readonly shared: boolean;
  /** How many stories of chance it is told: stores are made anew for each. */
  readonly stories: number;
}

export type OnSpaceStore = (what: string, body: (store: SpaceStore, t: TestContext) => Promise<void>) => void;

export const onSpaceStore =
  ({ make }: SpaceStoreKind): OnSpaceStore =>
  (what, body) => {
    test(what, async (t) => body(await make(t), t));
  };

/** What texts of others may hold, and no column of text may lose. */
export const ODD = 'a\0b "c" \ud800 \u{1f600} \'; --';

export function revision(number: number, fields: Partial<Revision> = {}): Revision {
  return {
    number,
    versionId: `v${number}-0123456789ab`,
    cardSha256: `${number}`.padStart(64, '0'),
    card: { name: `card ${number}`, x: { odd: ODD, '\0': [1, null] } },
    endpoints: [{ url: `https://agent.test/${number}`, binding: 'JSONRPC', version: '1.0' }],
    signedBy: [ODD],
    registeredBy: ODD,
    at: 1_000 + number,
    changes: [{ path: '$.name', kind: 'changed', before: '"a"', after: ODD }],
    state: 'current',
    ...fields,
  };
}

export function agent(id: string, fields: Partial<AgentToSave> = {}): AgentToSave {
  return {
    space: 'demo',
    id,
    reach: 'inside',
    origin: 'http',
    disabled: false,
    health: { state: 'unknown', failures: 0 },
    ...fields,
  };
}

export async function saved(
  store: SpaceStore,
  toSave: AgentToSave,
  before?: RegisteredAgent,
): Promise<RegisteredAgent> {
  const answer = await store.saveAgent(toSave, before);
  assert.ok(answer !== 'stale');
  return answer;
}

export function task(id: string, fields: Partial<TaskToPrepare['task']> = {}): TaskToPrepare['task'] {
  return {
    id,
    space: 'demo',
    agent: 'a',
    versionId: 'v1-0123456789ab',
    caller: '["acme","user","ada"]',
    createdAt: 1_000,
    updatedAt: 1_000,
    ...fields,
  };
}

export async function prepared(store: SpaceStore, id: string, fields?: Partial<PlatformTask>): Promise<PlatformTask> {
  const answer = await store.prepareTask({ task: task(id, fields) });
  assert.equal(answer.kind, 'prepared');
  return answer.task;
}

export const seen = (taskId: string, fields: Partial<Observed> = {}): Observed => ({
  taskId,
  at: 2_000,
  owed: [],
  ...fields,
});

/** Owes each payload to a sink, in this order. */
export async function owe(store: SpaceStore, taskId: string, sink: string, payloads: string[], at = 2_000) {
  for (const payload of payloads) {
    assert.equal(await store.observe(seen(taskId, { at, owed: [{ sink, payload }] })), 'recorded');
  }
}

/** Of each sink that is owed something, at most `limit`. */
export async function claimAll(
  store: SpaceStore,
  options: { readonly now: number; readonly until: number; readonly limit: number },
): Promise<readonly HeldQueue[]> {
  const sinks = await store.owedSinks();
  return (await Promise.all(sinks.map(({ space, sink }) => store.claim({ space, sink, ...options })))).flat();
}

/** Of the sink whose queue is due first. */
export async function claimOne(store: SpaceStore, now: number, until = now + 1_000): Promise<HeldQueue> {
  const [first] = [...(await store.owedSinks())].sort((one, other) => one.dueAt - other.dueAt);
  assert.ok(first, 'something is owed');
  const [queue] = await store.claim({ space: first.space, sink: first.sink, now, until, limit: 1 });
  assert.ok(queue, 'a queue is due');
  return queue;
}

/** When the first queue of all is due, or its hold ends; absent when none is alive. */
export async function nextDue(store: Pick<SpaceStore, 'owedSinks'>): Promise<number | undefined> {
  const dues = (await store.owedSinks()).map(({ dueAt }) => dueAt);
  return dues.length === 0 ? undefined : Math.min(...dues);
}

export async function payloadsOf(store: SpaceStore, queueId: string): Promise<readonly string[]> {
  return (await store.owed(queueId, 10_000)).map(({ payload }) => payload);
}
