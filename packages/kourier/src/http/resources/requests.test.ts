import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '../../core/limits.ts';
import type { RequestEntry } from '../../core/thread/entry.ts';
import type { EntryId, TurnId } from '../../core/thread/ids.ts';
import type { Answered } from '../courier-door.ts';
import { openInterface } from '../fixtures/open-interface.ts';

const ada = { id: 'u1', name: 'Ada', email: 'ada@example.org' };
const PATH = '/api/v1/requests/e_1/answer';

test('answers and approvals go to the courier as they were given, and are answered when durable', async (t) => {
  const { call, courier } = await openInterface(t);
  courier.answers.set('e_1', { kind: 'accepted' });
  const answers = [['yes', 'no'], ['a text\nof two lines \u{1f600}'], []];
  const approvals = [
    { id: 'c1', approved: true },
    { id: '__proto__', approved: false },
  ];
  const first = await call('POST', PATH, { actor: ada, answers });
  const second = await call('POST', PATH, { actor: ada, approvals });
  const third = await call('POST', PATH, { approvals });
  for (const { status, body } of [first, second, third]) assert.deepEqual([status, body], [202, {}]);
  assert.deepEqual(courier.calls, [
    { request: 'e_1', actor: ada, answers },
    { request: 'e_1', actor: ada, approvals },
    { request: 'e_1', actor: { id: 'anonymous' }, approvals },
  ]);
});

test('nothing is answered before the courier has it: a fault of ours is 500, and nothing of the answer is said', async (t) => {
  const { call, courier, logged } = await openInterface(t);
  courier.answers.set('e_1', { kind: 'accepted' });
  courier.fault = new Error('disk');
  const { status, body, text } = await call('POST', PATH, { answers: [['the secret']] });
  assert.deepEqual([status, body.code], [500, 'internal-error']);
  assert.doesNotMatch(text, /secret|disk/);
  assert.deepEqual(
    logged.map(({ route }) => route),
    ['/api/v1/requests/:id/answer'],
  );
});

test('each way in which an answer is not taken has its status and code', async (t) => {
  const { call, courier } = await openInterface(t);
  const ways: readonly (readonly [Answered, number, string])[] = [
    [{ kind: 'missing' }, 404, 'request-not-found'],
    [{ kind: 'forbidden' }, 403, 'not-an-approver'],
    [{ kind: 'settled', state: 'expired' }, 409, 'already-settled'],
    [{ kind: 'invalid', why: 'question 2 is not answered' }, 422, 'answer-incomplete'],
    [{ kind: 'stopping' }, 503, 'stopping'],
  ];
  for (const [answer, expected, code] of ways) {
    courier.answers.set('e_1', answer);
    const { status, body, headers } = await call('POST', PATH, { actor: ada, answers: [['yes']] });
    assert.deepEqual([status, body.code], [expected, code]);
    assert.equal(headers.get('retry-after'), code === 'stopping' ? '5' : null);
    if (answer.kind === 'invalid') assert.equal(body.detail, answer.why);
  }
});

test('a late answer is told what was decided and by whom', async (t) => {
  const { call, courier } = await openInterface(t);
  const told: readonly (readonly [Answered, RegExp])[] = [
    [{ kind: 'settled', state: 'answered', by: ada }, /was answered by Ada \(u1\)\./],
    [{ kind: 'settled', state: 'answered', by: ada, decision: 'approved' }, /was approved by Ada \(u1\)\./],
    [{ kind: 'settled', state: 'answered', by: { id: 'u2' }, decision: 'denied' }, /was denied by u2\./],
    [{ kind: 'settled', state: 'expired' }, /when its time was over\./],
    [{ kind: 'settled', state: 'canceled' }, /was cancelled\./],
    [{ kind: 'settled', state: 'failed' }, /could not take an answer\./],
  ];
  for (const [answer, detail] of told) {
    courier.answers.set('e_1', answer);
    assert.match((await call('POST', PATH, { answers: [['yes']] })).body.detail, detail);
  }
});

test('what can be no request is not found, and does not get to the courier', async (t) => {
  const { call, courier } = await openInterface(t);
  for (const id of ['%00', '..%2f..', 'x'.repeat(300), "'%20or%201=1", '%F0%9F%98%80']) {
    const { status, body } = await call('POST', `/api/v1/requests/${id}/answer`, { answers: [['yes']] });
    assert.deepEqual([status, body.code], [404, 'request-not-found'], id);
  }
  assert.deepEqual(courier.calls, []);
  const { status } = await call('POST', '/api/v1/requests/__proto__/answer', { answers: [['yes']] });
  assert.equal(status, 404);
});

const yes = { id: 'c1', approved: true };
const tooMany = Array.from({ length: 10_000 }, (_, index) => ({ id: `c${index}`, approved: true }));

/** Each does not fit, at the place that is named. */
const HOSTILE: readonly (readonly [what: string, body: unknown, at: string])[] = [
  ['nothing', {}, ''],
  ['null', null, ''],
  ['a list', [yes], ''],
  ['both', { answers: [['yes']], approvals: [yes] }, ''],
  ['both, one of them empty', { answers: [], approvals: [yes] }, ''],
  ['no answers', { answers: [] }, '/answers'],
  ['no approvals', { approvals: [] }, '/approvals'],
  ['null answers', { answers: null }, '/answers'],
  ['10,000 approvals', { approvals: tooMany }, '/approvals'],
  ['one approval too many', { approvals: tooMany.slice(0, LIMITS.requestTools + 1) }, '/approvals'],
  ['one question too many', { answers: Array(LIMITS.requestQuestions + 1).fill(['yes']) }, '/answers'],
  ['one choice too many', { answers: [Array(LIMITS.requestChoices + 1).fill('yes')] }, '/answers/0'],
  ['an answer that is too long', { answers: [['x'.repeat(LIMITS.messageBytes + 1)]] }, '/answers/0/0'],
  ['an answer with NUL', { answers: [['a\u0000b']] }, '/answers/0/0'],
  ['an answer with half a character', { answers: [['a\ud800']] }, '/answers/0/0'],
  ['one answer that is no list', { answers: ['yes'] }, '/answers/0'],
  ['answers by name', { answers: { 0: ['yes'], length: 1 } }, '/answers'],
  ['an answer that is a number', { answers: [[1]] }, '/answers/0/0'],
  ['an answer that is a list', { answers: [[['yes']]] }, '/answers/0/0'],
  ['approvals by name', { approvals: { c1: true } }, '/approvals'],
  ['an approval that is a word', { approvals: [{ id: 'c1', approved: 'false' }] }, '/approvals/0/approved'],
  ['an approval that is 1', { approvals: [{ id: 'c1', approved: 1 }] }, '/approvals/0/approved'],
  ['an approval without a tool', { approvals: [{ approved: true }] }, '/approvals/0'],
  ['a tool without a decision', { approvals: [{ id: 'c1' }] }, '/approvals/0'],
  ['a tool with an empty id', { approvals: [{ id: '', approved: true }] }, '/approvals/0/id'],
  ['a long id', { approvals: [{ id: 'x'.repeat(LIMITS.idCharacters + 1), approved: true }] }, '/approvals/0/id'],
  ['an id that is a list', { approvals: [{ id: ['c1'], approved: true }] }, '/approvals/0/id'],
  ['more of an approval', { approvals: [{ ...yes, args: {} }] }, '/approvals/0'],
  ['more of an answer', { answers: [['yes']], state: 'answered' }, ''],
  ['a prototype', JSON.parse('{"answers":[["yes"]],"__proto__":{"approvals":[]}}'), ''],
  ['a constructor', { answers: [['yes']], constructor: {} }, ''],
  [
    'a prototype of an approval',
    JSON.parse('{"approvals":[{"__proto__":{"id":"c1","approved":true}}]}'),
    '/approvals/0',
  ],
  ['an actor that is a name', { actor: 'u1', answers: [['yes']] }, '/actor'],
  ['an actor without an id', { actor: { name: 'Ada' }, answers: [['yes']] }, '/actor'],
  ['an actor with a line end', { actor: { id: 'u1\nu2' }, answers: [['yes']] }, '/actor/id'],
  ['an actor with a NUL', { actor: { id: 'u1', name: 'A\u0000' }, answers: [['yes']] }, '/actor/name'],
  ['an actor with an escape', { actor: { id: 'u1', name: '\u001b[2J' }, answers: [['yes']] }, '/actor/name'],
  ['an actor that turns the line around', { actor: { id: 'u1', name: '\u202e' }, answers: [['yes']] }, '/actor/name'],
  ['an actor that is the courier', { actor: { id: 'agent-kourier' }, approvals: [yes] }, '/actor/id'],
  ['a blank actor', { actor: { id: '  ' }, answers: [['yes']] }, '/actor/id'],
];

for (const [what, body, at] of HOSTILE) {
  test(`${what}: refused, its place named and its value not`, async (t) => {
    const { call, courier } = await openInterface(t);
    courier.answers.set('e_1', { kind: 'accepted' });
    const answer = await call('POST', PATH, body);
    assert.deepEqual([answer.status, answer.body.code], [422, 'invalid-request']);
    assert.ok(
      answer.body.faults.some((fault: { at: string }) => fault.at === at),
      JSON.stringify(answer.body.faults),
    );
    assert.ok(answer.text.length < 5_000);
    assert.deepEqual(courier.calls, []);
  });
}

test('as much as a request can ask for is taken, and a body past the limit is not read', async (t) => {
  const { call, courier } = await openInterface(t);
  courier.answers.set('e_1', { kind: 'accepted' });
  const answers = Array(LIMITS.requestQuestions).fill(Array(LIMITS.requestChoices).fill('a choice'));
  assert.equal((await call('POST', PATH, { answers })).status, 202);
  assert.equal((await call('POST', PATH, { answers: [['\u{1f600}'.repeat(LIMITS.messageBytes / 2)]] })).status, 202);
  assert.equal((await call('POST', PATH, { approvals: tooMany.slice(0, LIMITS.requestTools) })).status, 202);
  const raw = JSON.stringify({ answers: [['x'.repeat(LIMITS.requestBodyBytes)]] });
  assert.deepEqual((await call('POST', PATH, undefined, { raw })).body.code, 'body-too-large');
  assert.equal(courier.calls.length, 3);
});

test('a request stands in the timeline and in the events as it was committed', async (t) => {
  const { call, commit, events, answers } = await openInterface(t);
  const { thread, turnId } = (await call('POST', '/api/v1/threads', { binding: 'ops', text: 'hi' })).body;
  const common = { kind: 'request', turnId: turnId as TurnId, until: '2023-11-15T22:13:20.000Z' } as const;
  const approval: RequestEntry = {
    ...{ ...common, id: 'r1' as EntryId, type: 'tool-approval', state: 'open' },
    ...{ heading: 'The agent needs your approval', questions: [], approvers: ['u1'] },
    tools: [
      { id: 'c1', name: 'delete_pod', args: { pod: 'web-0' } },
      { id: 'c2', name: 'no_arguments' },
    ],
  };
  const question: RequestEntry = {
    ...{ ...common, id: 'r2' as EntryId, type: 'questions', state: 'answered', heading: 'Pick', tools: [] },
    questions: [{ question: 'Which?', choices: ['a', 'b'], multiple: true }],
    answer: { actor: ada, answers: [['a', 'b']], approvals: [] },
  };
  await commit(thread, [approval, question], 'waiting');
  const { body } = await call('GET', `/api/v1/threads/${thread}`);
  assert.equal(body.status, 'waiting');
  assert.deepEqual(body.entries.slice(1), [approval, question]);
  const reader = await events(thread);
  t.after(() => reader.close());
  const read = await reader.until(({ event }) => event === 'status');
  const seen = read.filter(({ event }) => event === 'entry').map(({ data }) => data);
  assert.deepEqual(seen.slice(1), [approval, question]);
  for (const entry of seen) answers.fits('Entry', entry);
  const { tools: _, ...without } = approval;
  assert.throws(() => answers.fits('Entry', without), 'the schema asks for what every request has');
});

test('the codes of notices are named in the document, and a made-up one does not fit', async (t) => {
  const { answers } = await openInterface(t);
  const notice = { kind: 'notice', id: 'n', turnId: 'u', text: 'x' };
  for (const code of ['question-not-allowed', 'request-expired', 'answer-rejected', 'answer-the-prompt']) {
    answers.fits('Entry', { ...notice, code });
  }
  answers.fits('Entry', { ...notice, code: 'task-failed', category: 'rate-limit' });
  assert.throws(() => answers.fits('Entry', { ...notice, code: 'made-up' }));
});
