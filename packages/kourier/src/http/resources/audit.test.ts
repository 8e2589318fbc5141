import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditRecord } from '../../../contract/store-samples.ts';
import type { AuditRecord } from '../../core/request/audit-record.ts';
import type { ThreadId } from '../../core/thread/ids.ts';
import { type Opened, openInterface } from '../fixtures/open-interface.ts';

const PATH = '/api/v1/audit';

/** A thread with as many records as asked for, each deciding a request of its own. */
async function decided({ call, store }: Opened, count: number, more: Partial<AuditRecord> = {}): Promise<ThreadId> {
  const { body } = await call('POST', '/api/v1/threads', { binding: 'ops', text: 'hi' });
  const thread = body.thread as ThreadId;
  const claim = await store.claim(thread, { owner: 'o', untilMs: 1 }, 0);
  assert.ok(claim.kind === 'claimed');
  const audit = Array.from({ length: count }, (_, index) => auditRecord(`r${index + 1}`, { thread, ...more }));
  await store.commit({ owner: 'o', thread: claim.thread, status: 'idle', owes: false, entries: [], taken: [], audit });
  return thread;
}

test('a decision is told whole: who, what, when, the exact arguments, and which message went out', async (t) => {
  const opened = await openInterface(t);
  assert.deepEqual((await opened.call('GET', PATH)).body, { records: [], next: null });
  const thread = await decided(opened, 1);
  const { status, body, headers } = await opened.call('GET', PATH);
  assert.equal(status, 200);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.deepEqual(body, {
    records: [
      {
        number: 1,
        at: '2023-11-14T22:13:20.000Z',
        binding: 'ops',
        thread,
        turnId: 'turn-m1',
        request: 'r1',
        type: 'tool-approval',
        decision: 'approved',
        actor: { id: 'u1', name: 'Ada' },
        tools: [{ id: 'call-1', name: 'delete_pod', args: { pod: 'web-0', force: true } }],
        answers: [],
        approvals: [{ id: 'call-1', approved: true }],
        messageId: 'answer-r1',
      },
    ],
    next: null,
  });
});

test('a decision of the courier itself names no message', async (t) => {
  const opened = await openInterface(t);
  const { call, store } = opened;
  const thread = await decided(opened, 0);
  const { messageId: _, ...expired } = auditRecord('r1', {
    ...{ thread, type: 'text', decision: 'expired', actor: { id: 'agent-kourier' }, tools: [], approvals: [] },
  });
  const claim = await store.claim(thread, { owner: 'o', untilMs: 1 }, 0);
  assert.ok(claim.kind === 'claimed');
  const audit = [expired];
  await store.commit({ owner: 'o', thread: claim.thread, status: 'idle', owes: false, entries: [], taken: [], audit });
  const [record] = (await call('GET', PATH)).body.records;
  assert.deepEqual([record.decision, record.actor], ['expired', { id: 'agent-kourier' }]);
  assert.ok(!('messageId' in record));
});

test('pages go from the newest to the oldest, each record once; the last has no next', async (t) => {
  const opened = await openInterface(t);
  await decided(opened, 7);
  const pages: number[][] = [];
  for (let next: number | null | undefined; next !== null; ) {
    const { body } = await opened.call('GET', `${PATH}?limit=3${next === undefined ? '' : `&before=${next}`}`);
    pages.push(body.records.map(({ number }: { number: number }) => number));
    next = body.next;
  }
  assert.deepEqual(pages, [[7, 6, 5], [4, 3, 2], [1]]);
  const whole = await opened.call('GET', `${PATH}?limit=7`);
  assert.deepEqual([whole.body.records.length, whole.body.next], [7, null]);
});

test('50 records when nothing is said, 200 at the most', async (t) => {
  const opened = await openInterface(t);
  await decided(opened, 201);
  const usual = (await opened.call('GET', PATH)).body;
  assert.deepEqual([usual.records.length, usual.next], [50, 152]);
  const most = (await opened.call('GET', `${PATH}?limit=200`)).body;
  assert.deepEqual([most.records.length, most.next], [200, 2]);
});

test("one thread's decisions alone, and none of a thread that nobody knows", async (t) => {
  const opened = await openInterface(t);
  const one = await decided(opened, 2);
  const other = await decided(opened, 1);
  const numbers = async (query: string) =>
    (await opened.call('GET', PATH + query)).body.records.map(({ number }: { number: number }) => number);
  assert.deepEqual(await numbers(''), [3, 2, 1]);
  assert.deepEqual(await numbers(`?thread=${one}`), [2, 1]);
  assert.deepEqual(await numbers(`?thread=${other}`), [3]);
  assert.deepEqual(await numbers(`?thread=${one}&limit=1&before=2`), [1]);
  assert.deepEqual(await numbers('?thread=t_none'), []);
});

for (const query of [
  ...['limit=0', 'limit=201', 'limit=-1', 'limit=1.5', 'limit=1e2', 'limit=', 'limit=+5', 'limit=%205', 'limit=0x10'],
  ...['limit=99999999999999999999', 'limit=5&limit=5', 'limit[]=5', 'LIMIT=5', 'limit=٣', 'limit=5;before=1'],
  ...['before=0', 'before=-1', 'before=x', 'before=9007199254740993', 'before=null', 'before=NaN'],
  ...['thread=', 'thread=%00', 'thread=..%2f', `thread=${'x'.repeat(300)}`, "thread='%20or%201=1--", 'threads=t_1'],
  ...['__proto__=1', 'constructor=1', 'limit=5&actor=u1'],
]) {
  test(`?${query.slice(0, 40)} is refused, and the store is not asked`, async (t) => {
    const { call, store } = await openInterface(t);
    store.audit = () => assert.fail('asked');
    const { status, body, text } = await call('GET', `${PATH}?${query}`);
    assert.deepEqual([status, body.code], [422, 'invalid-request']);
    assert.ok(text.length < 500);
    assert.doesNotMatch(body.detail, /xxx|or 1=1|actor/);
  });
}

test('the document says what can be asked', async (t) => {
  const { call } = await openInterface(t);
  const { parameters } = (await call('GET', '/api/v1/openapi.json')).body.paths[PATH].get;
  const limit = parameters.find(({ name }: { name: string }) => name === 'limit');
  assert.deepEqual(limit, {
    ...{ name: 'limit', in: 'query', description: 'The most records to answer with.' },
    schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
  });
  assert.deepEqual(
    parameters.map(({ name }: { name: string }) => name),
    ['limit', 'before', 'thread'],
  );
});
