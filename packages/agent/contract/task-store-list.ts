import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AGENT_LIMITS } from '../src/limits.ts';
import { type ListRequest, type TaskStore, UnknownPageToken } from '../src/store/task-store.ts';
import type { LiveTask } from '../src/task/live-task.ts';
import { artifact, begin, COMPLETED, finished, idsOf, move, PAUSED, type StoreKind, WORKING } from './task-work.ts';

type Wanted = Partial<Omit<ListRequest, 'pageToken'>>;

const page = (store: TaskStore, wanted: Wanted = {}, pageToken?: string) =>
  store.list({
    owner: '',
    contextId: undefined,
    state: undefined,
    changedSince: undefined,
    pageSize: 100,
    ...wanted,
    pageToken,
  });

/** Every page, and something between them. Each tells the total of the walk. */
async function walk(
  store: TaskStore,
  wanted: Wanted = {},
  between: (nth: number) => Promise<unknown> = async () => {},
): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = [];
  const totals = new Set<number>();
  let token: string | undefined;
  do {
    const listed = await page(store, wanted, token);
    pages.push(idsOf(listed.tasks));
    totals.add(listed.totalSize);
    token = listed.more ? listed.tokenAfter(listed.tasks.length - 1) : undefined;
    await between(pages.length);
  } while (token !== undefined);
  assert.deepEqual([...totals], [pages.flat().length]);
  return pages;
}

export function listCases({ name, make }: StoreKind): void {
  test(`${name}: C127 the newest status is listed first, and equal times by id, none skipped`, async (t) => {
    const store = await make(t);
    for (const id of ['d', 'a', 'c', 'b', 'e']) await finished(store, { id, at: 2_000 });
    await finished(store, { id: 'old', at: 1_000 });
    await finished(store, { id: 'new', at: 3_000 });
    const expected = ['new', 'a', 'b', 'c', 'd', 'e', 'old'];
    for (const pageSize of [1, 2, 3, 7, 100]) {
      assert.deepEqual((await walk(store, { pageSize })).flat(), expected, `pages of ${pageSize}`);
    }
    assert.deepEqual(await walk(store, { pageSize: 3 }), [expected.slice(0, 3), expected.slice(3, 6), ['old']]);
  });

  test(`${name}: a walk goes on after any task of a page`, async (t) => {
    const store = await make(t);
    for (const id of ['a', 'b', 'c']) await finished(store, { id });
    const { tokenAfter } = await page(store, { pageSize: 3 });
    assert.deepEqual(idsOf((await page(store, {}, tokenAfter(0))).tasks), ['b', 'c']);
    assert.deepEqual(idsOf((await page(store, {}, tokenAfter(2))).tasks), []);
  });

  test(`${name}: a task that moves on during a walk is neither skipped nor listed twice, and a younger one is not listed`, async (t) => {
    const store = await make(t);
    const tasks: LiveTask[] = [];
    for (let n = 0; n < 6; n += 1) tasks.push(await begin(store, { id: `t${n}`, at: 1_000 + n }));
    const pages = await walk(store, { pageSize: 2 }, async (nth) => {
      if (nth > 3) return;
      // One that was listed, one that comes next and the last one, each time.
      for (const n of [5, 3, 0]) {
        const task = tasks[n];
        if (task) await move(store, task, WORKING, 5_000 + 100 * nth + n);
      }
      await finished(store, { id: `young${nth}`, at: 9_000 });
    });
    assert.deepEqual(pages, [
      ['t5', 't4'],
      ['t3', 't2'],
      ['t1', 't0'],
    ]);
    const now = (await walk(store)).flat();
    assert.deepEqual(now, ['young1', 'young2', 'young3', 't5', 't3', 't0', 't4', 't2', 't1']);
  });

  test(`${name}: tasks are filtered before they are paged`, async (t) => {
    const store = await make(t);
    for (let n = 0; n < 6; n += 1) {
      const task = await begin(store, { id: `t${n}`, contextId: n % 2 === 0 ? 'even' : 'odd', at: 1_000 + n });
      await move(store, task, n < 4 ? COMPLETED : PAUSED, 2_000 + n);
    }
    await finished(store, { id: 'foreign', owner: 'ada', contextId: 'even' });
    const cases: [Wanted, string[]][] = [
      [{}, ['t5', 't4', 't3', 't2', 't1', 't0']],
      [{ contextId: 'even' }, ['t4', 't2', 't0']],
      [{ contextId: 'none' }, []],
      [{ state: COMPLETED }, ['t3', 't2', 't1', 't0']],
      [{ state: WORKING }, []],
      [{ changedSince: 2_004 }, ['t5', 't4']],
      [{ contextId: 'even', state: COMPLETED, changedSince: 2_001 }, ['t2']],
      [{ owner: 'ada' }, ['foreign']],
      [{ owner: 'bob' }, []],
    ];
    for (const [wanted, expected] of cases) {
      const pages = await walk(store, { ...wanted, pageSize: 2 });
      assert.deepEqual(pages.flat(), expected, JSON.stringify(wanted));
    }
  });

  test(`${name}: what is listed is the whole task as it is now`, async (t) => {
    const store = await make(t);
    const task = await begin(store, { id: 't' });
    task.write({ artifact: artifact('a', 'text'), append: false });
    await move(store, task, COMPLETED);
    const listed = (await page(store)).tasks[0];
    assert.equal(JSON.stringify(listed?.artifacts), JSON.stringify(task.artifacts));
    assert.equal(JSON.stringify(listed?.history), JSON.stringify(task.history));
    assert.deepEqual(listed?.status, task.status);
  });

  test(`${name}: long tasks make short pages at most, and none is lost by it`, async (t) => {
    const store = await make(t);
    const text = 'x'.repeat(AGENT_LIMITS.pageCharacters / 3);
    for (let n = 0; n < 9; n += 1) {
      const task = await begin(store, { id: `t${n}` });
      task.write({ artifact: artifact('a', text), append: false });
      await move(store, task, COMPLETED);
    }
    assert.equal((await walk(store)).flat().length, 9);
  });

  test(`${name}: a page token of another store, or of nobody, is refused`, async (t) => {
    const [store, other] = [await make(t), await make(t)];
    for (const each of [store, other]) {
      for (const id of ['a', 'b', 'c']) await finished(each, { id });
    }
    const token = (await page(other, { pageSize: 1 })).tokenAfter(0);
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const [identity, asOf, at] = JSON.parse(Buffer.from(token, 'base64url').toString());
    const wrong = [
      'nonsense',
      '',
      encode(null),
      encode([]),
      encode([identity, asOf, at]),
      encode([identity, asOf, at, 'a\0']),
      encode([identity, asOf + 1_000, at, 'a']),
      encode([identity, asOf - AGENT_LIMITS.walkChanges, at, 'a']),
      encode([identity, asOf, '1', 'a']),
    ];
    await assert.rejects(async () => page(store, {}, token), UnknownPageToken);
    for (const each of wrong) await assert.rejects(async () => page(other, {}, each), UnknownPageToken, each);
    assert.deepEqual(idsOf((await page(other, {}, token)).tasks), ['b', 'c']);
  });
}
