import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestEntry } from '../api/wire.ts';
import { decisionOf, isSame, spokenDecision } from './decision-words.ts';
import { approvalsOf, fittingVerdicts, undecided, verdictWords } from './verdicts.ts';

const tools = ['a', '__proto__', 'c'].map((id) => ({ id, name: `tool ${id}` }));

test('nothing is chosen for a person: a draft that does not fit is none', () => {
  for (const broken of [undefined, [], ['approve'], { a: 'approve' }, ['yes', true, null]]) {
    assert.deepEqual(fittingVerdicts(tools, broken), ['none', 'none', 'none']);
  }
  assert.deepEqual(fittingVerdicts(tools, ['deny', 'x', 'approve']), ['deny', 'none', 'approve']);
});

test('the button says what will happen, or what is missing', () => {
  assert.equal(verdictWords(['none', 'none']), 'Approve or deny each tool');
  assert.equal(verdictWords(['none', 'deny']), '1 tool left to decide');
  assert.equal(verdictWords(['none', 'deny', 'none']), '2 tools left to decide');
  assert.equal(verdictWords(['approve', 'approve', 'deny']), 'Approve 2, deny 1');
  assert.equal(verdictWords(['approve', 'approve']), 'Approve all 2');
  assert.equal(verdictWords(['deny', 'deny']), 'Deny all 2');
  assert.deepEqual(undecided(['none', 'deny', 'none']), [0, 2]);
});

test('Q9 each tool is decided once, in the order of the request', () => {
  assert.deepEqual(approvalsOf(tools, ['deny', 'approve', 'deny']), [
    { id: 'a', approved: false },
    { id: '__proto__', approved: true },
    { id: 'c', approved: false },
  ]);
});

const entry = (more: Partial<RequestEntry>): RequestEntry => ({
  ...{ id: 'r', kind: 'request', turnId: '1', type: 'tool-approval', state: 'open', heading: 'May I?' },
  ...{ questions: [], tools, until: '2026-01-02T03:04:05Z' },
  ...more,
});
const decided = (...approved: readonly boolean[]): RequestEntry =>
  entry({
    state: 'answered',
    answer: {
      actor: { id: 'u2', name: 'Ben' },
      answers: [],
      approvals: approved.map((yes, at) => ({ id: `${at}`, approved: yes })),
    },
  });

test('what was decided is told in words, and by whom', () => {
  assert.equal(decisionOf(decided(true)).words, 'Approved');
  assert.equal(decisionOf(decided(true, true)).words, 'Approved all 2');
  assert.equal(decisionOf(decided(false)).words, 'Denied');
  assert.equal(decisionOf(decided(false, false, false)).words, 'Denied all 3');
  assert.deepEqual(decisionOf(decided(true, false, true)), {
    tone: 'bad',
    words: 'Approved 2, denied 1',
    by: { id: 'u2', name: 'Ben' },
  });
  assert.equal(spokenDecision(decided(true)), 'Approved by Ben.');
  assert.equal(spokenDecision(entry({ state: 'expired' })), 'Expired. Nobody decided in time, so all 3 were denied.');
  assert.equal(spokenDecision(entry({ state: 'expired', type: 'questions' })), 'Expired. Nobody answered in time.');
  assert.equal(spokenDecision(entry({ state: 'canceled' })), 'Closed. It was over before a decision counted.');
  assert.match(spokenDecision(entry({ state: 'failed' })), /^Failed\. The agent did not take/);
});

test('a late click that wanted the same has nothing to be told', () => {
  const wanted = { approvals: [{ approved: true, id: '0' }] };
  assert.equal(isSame(wanted, decided(true)), true);
  assert.equal(isSame(wanted, decided(false)), false);
  assert.equal(isSame(wanted, entry({ state: 'canceled' })), false);
});
