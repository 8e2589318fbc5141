import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gate, message, serve, type TaskJson } from '../../test/served-agent.ts';
import { AGENT_LIMITS } from '../index.ts';

type Served = Awaited<ReturnType<typeof serve>>;

async function walk(agent: Served, params: Record<string, unknown>, between = async () => {}): Promise<TaskJson[][]> {
  const pages: TaskJson[][] = [];
  const totals = new Set<unknown>();
  let pageToken = '';
  do {
    const { result } = await agent.call('ListTasks', { ...params, pageToken });
    pages.push([...(result?.tasks ?? [])]);
    totals.add(result?.totalSize);
    pageToken = result?.nextPageToken ?? '';
    await between();
  } while (pageToken !== '');
  assert.deepEqual([...totals], [pages.flat().length], 'each page tells the total of the walk');
  return pages;
}

test('C127 no task is skipped among equal timestamps', async (t) => {
  const agent = await serve(t, async function* () {}, { now: () => 1_000 });
  const sent: unknown[] = [];
  for (let n = 0; n < 7; n += 1) sent.push((await agent.call('SendMessage', message(`m${n}`))).result?.task?.id);
  const pages = await walk(agent, { pageSize: 2 });
  assert.deepEqual(
    pages.map((page) => page.length),
    [2, 2, 2, 1],
  );
  assert.deepEqual(
    pages
      .flat()
      .map((task) => task.id)
      .sort(),
    sent.sort(),
  );
});

test('a task that moves on during a walk is neither skipped nor shown twice', async (t) => {
  let now = 0;
  const open = gate();
  const agent = await serve(
    t,
    async function* ({ text }) {
      if (text === 'wait') await open.promise;
      yield 'done';
    },
    { now: () => ++now },
  );
  const oldest = await agent.send('m0', { parts: [{ text: 'wait' }] });
  await oldest.next();
  for (let n = 1; n < 5; n += 1) await agent.call('SendMessage', message(`m${n}`));
  const pages = await walk(agent, { pageSize: 2 }, async () => {
    open.resolve();
    await oldest.rest().catch(() => []);
  });
  const seen = pages.flat().map((task) => task.history?.[0]?.['messageId']);
  assert.deepEqual(seen, ['m4', 'm3', 'm2', 'm1', 'm0']);
});

test('C130 history is listed unless it is asked away, and the messageId stands in it', async (t) => {
  const agent = await serve(t, async function* () {
    yield 'answer';
  });
  await agent.call('SendMessage', message('m1', { contextId: 'c1' }));
  const list = async (params: object) => (await agent.call('ListTasks', params)).result?.tasks?.[0];
  assert.equal((await list({}))?.history?.[0]?.['messageId'], 'm1');
  assert.equal((await list({ historyLength: 100 }))?.history?.[0]?.['messageId'], 'm1');
  assert.equal((await list({ historyLength: 0 }))?.history, undefined);
  assert.equal((await list({}))?.artifacts, undefined);
  assert.equal((await list({ includeArtifacts: true }))?.artifacts?.length, 1);
});

test('C134 filters are counted before the paging', async (t) => {
  let now = 0;
  const agent = await serve(t, async function* () {}, { now: () => ++now });
  for (let n = 0; n < 6; n += 1) await agent.call('SendMessage', message(`m${n}`, { contextId: `c${n % 2}` }));
  const { result } = await agent.call('ListTasks', { contextId: 'c1', pageSize: 2 });
  assert.equal(result?.totalSize, 3);
  assert.equal(result?.pageSize, 2);
  assert.deepEqual(
    result?.tasks?.map((task) => task.contextId),
    ['c1', 'c1'],
  );
  const count = async (params: object) => (await agent.call('ListTasks', params)).result?.totalSize;
  assert.equal(await count({ status: 'TASK_STATE_COMPLETED' }), 6);
  assert.equal(await count({ status: 'TASK_STATE_WORKING' }), 0);
  assert.equal(await count({ status: 'TASK_STATE_REJECTED' }), 0);
  assert.equal(await count({ status: 'TASK_STATE_UNSPECIFIED' }), 6);
  // Each task has three statuses, a millisecond each: the last two ended at 15 and 18.
  assert.equal(await count({ statusTimestampAfter: new Date(15).toISOString() }), 2);
  assert.equal(await count({ statusTimestampAfter: '1970-01-01T01:00:00.015000000+01:00' }), 2);
});

test('C128 the last page says so with an empty token', async (t) => {
  const agent = await serve(t, async function* () {});
  assert.equal((await agent.call('ListTasks')).result?.nextPageToken, '');
});

test('a page ends early rather than growing without bound', async (t) => {
  const agent = await serve(t, async function* () {});
  const text = 'x'.repeat(AGENT_LIMITS.bodyBytes - 1_000);
  for (let n = 0; n < 7; n += 1) await agent.call('SendMessage', message(`m${n}`, { parts: [{ text }] }));
  const pages = await walk(agent, { pageSize: 100 });
  assert(pages.length > 1);
  assert.equal(pages.flat().length, 7);
});

test('list params of the wrong kind are refused', async (t) => {
  const agent = await serve(t, async function* () {});
  const wrong = [
    { pageSize: 0 },
    { pageSize: 101 },
    { pageSize: '2' },
    { pageSize: 1.5 },
    { pageToken: 'nonsense' },
    { pageToken: 7 },
    { contextId: {} },
    { status: 'working' },
    { status: 'TASK_STATE_FOO' },
    { historyLength: -1 },
    { includeArtifacts: 'yes' },
    { statusTimestampAfter: 'yesterday' },
    { statusTimestampAfter: '1' },
    { statusTimestampAfter: '2026-01-31' },
    { statusTimestampAfter: '2026-13-31T00:00:00Z' },
  ];
  for (const params of wrong) {
    assert.equal((await agent.call('ListTasks', params)).error?.code, -32602, JSON.stringify(params));
  }
});
