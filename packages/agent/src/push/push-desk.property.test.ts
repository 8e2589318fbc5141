import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { MemoryTaskStore, PUSH_LIMITS, type PushFetch, type Wait } from '../index.ts';
import { LiveTask } from '../task/live-task.ts';
import type { WireState } from '../task/wire.ts';
import { PushDesk } from './push-desk.ts';

/** How an attempt fails; `lost` is taken, and the answer does not come back. */
const FAILURE = fc.constantFrom('500', '429', '408', 'broken', 'lost');
const STEP = fc.constantFrom('pause', 'work', 'restart', 'breathe', 'progress');

interface Came {
  readonly id: string;
  readonly state: string;
}

/** Receivers that fail as they are told, and take everything afterwards. What they got is kept by host. */
function receivers(failures: Readonly<Record<string, readonly string[]>>) {
  const came = new Map<string, Came[]>();
  const left = new Map(Object.entries(failures).map(([host, script]) => [host, [...script]]));
  const fetch: PushFetch = async (url, { headers, body }) => {
    await setImmediate();
    const { host } = new URL(url);
    const failure = left.get(host)?.shift();
    if (failure === 'broken') throw new TypeError('fetch failed');
    if (failure !== undefined && failure !== 'lost') return new Response(null, { status: Number(failure) });
    const { task, statusUpdate } = JSON.parse(String(body)) as Record<string, { status: { timestamp: string } }>;
    const arrived = {
      id: new Headers(headers).get('webhook-id') ?? '',
      state: (task ?? statusUpdate)?.status.timestamp ?? '',
    };
    came.set(host, [...(came.get(host) ?? []), arrived]);
    if (failure === 'lost') throw new TypeError('fetch failed');
    return new Response();
  };
  return { fetch, came: (host: string) => came.get(host) ?? [] };
}

/** No time passes between attempts, and no attempt takes too long. */
const wait: Wait = (ms, signal) =>
  ms === PUSH_LIMITS.timeoutMs
    ? new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
    : setImmediate();

const HOSTS = ['one.example', 'two.example'];

async function play(failures: Readonly<Record<string, readonly string[]>>, steps: readonly string[]) {
  const store = new MemoryTaskStore();
  const { fetch, came } = receivers(failures);
  const open = async () => {
    const desk = new PushDesk({
      store,
      fetch,
      wait,
      random: () => 0,
      report: assert.fail,
      newId: () => '',
      now: () => 0,
    });
    await desk.open();
    return desk;
  };
  let desk = await open();
  let task = new LiveTask({ ...EMPTY, status: statusOf('TASK_STATE_SUBMITTED', 0) });
  store.begin(task.change(), { messageId: 'm', contextId: undefined });
  desk.watch(task);
  for (const host of HOSTS) await desk.add(task.id, { id: host, url: `https://${host}/` });
  const told: string[] = [];
  const enter = (state: WireState) => {
    const isNew = state !== task.status.state;
    const status = statusOf(state, told.length + 1);
    store.commit(task.change(status));
    if (isNew) told.push(status.timestamp);
    task.enter(isNew ? status : { ...status, timestamp: told.at(-1) ?? status.timestamp });
  };
  for (const step of [...steps, 'end']) {
    if (step === 'pause') enter('TASK_STATE_INPUT_REQUIRED');
    if (step === 'work' || step === 'progress') enter('TASK_STATE_WORKING');
    if (step === 'end') enter('TASK_STATE_COMPLETED');
    if (step === 'breathe') await setImmediate();
    if (step === 'restart') {
      await desk.close();
      task = new LiveTask(task);
      desk = await open();
      desk.watch(task);
    }
  }
  while (store.webhooks(task.id).some(({ settled }) => settled < task.version)) await setImmediate();
  await desk.close();
  return { told, came };
}

const EMPTY = { id: 't', contextId: 'c', owner: '', skillId: '', history: [], artifacts: [], journal: [], version: 0 };

const statusOf = (state: WireState, at: number) => ({ state, timestamp: new Date(at).toISOString() });

const runs = <T>(values: readonly T[]): readonly T[] => values.filter((value, n) => value !== values[n - 1]);

function checkIds(came: readonly Came[]): void {
  const pairs = new Set(came.map(({ id, state }) => `${id} ${state}`));
  assert.equal(pairs.size, new Set(came.map(({ id }) => id)).size, 'an id means one status');
  assert.equal(pairs.size, new Set(came.map(({ state }) => state)).size, 'a status has one id');
}

const FAILURES = fc.record({
  [`${HOSTS[0]}`]: fc.array(FAILURE, { maxLength: 12 }),
  [`${HOSTS[1]}`]: fc.array(FAILURE, { maxLength: 12 }),
});

test('whatever fails, each status comes to each webhook, in order, and again only under its own id', async () => {
  const steps = fc.array(
    STEP.filter((step) => step !== 'restart'),
    { maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(FAILURES, steps, async (failures, script) => {
      const { told, came } = await play(failures, script);
      for (const host of HOSTS) {
        assert.deepEqual(runs(came(host).map(({ state }) => state)), told);
        checkIds(came(host));
      }
    }),
    { numRuns: 150 },
  );
});

test('whatever fails and restarts, the last status comes to each webhook, and none after a later one', async () => {
  await fc.assert(
    fc.asyncProperty(FAILURES, fc.array(STEP, { maxLength: 16 }), async (failures, script) => {
      const { told, came } = await play(failures, script);
      for (const host of HOSTS) {
        const states = runs(came(host).map(({ state }) => state));
        assert.deepEqual(states, states.toSorted());
        assert.equal(states.at(-1), told.at(-1));
        checkIds(came(host));
      }
    }),
    { numRuns: 150 },
  );
});
