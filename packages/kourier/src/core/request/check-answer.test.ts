import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Question, RequestEntry, RequestType } from '../thread/entry.ts';
import type { EntryId, TurnId } from '../thread/ids.ts';
import { checkAnswer, type Given } from './check-answer.ts';

const actor = { id: 'u1' };
const request = (type: RequestType, more: Partial<RequestEntry> = {}): RequestEntry => ({
  kind: 'request',
  id: 'r1' as EntryId,
  turnId: 't1' as TurnId,
  type,
  state: 'open',
  heading: '',
  questions: [],
  tools: [],
  until: '',
  ...more,
});
const asking = (...questions: Partial<Question>[]) =>
  request('questions', {
    questions: questions.map((question) => ({ question: 'Which?', choices: [], multiple: false, ...question })),
  });
const gate = request('tool-approval', {
  tools: [
    { id: 'a', name: 'f' },
    { id: 'b', name: 'f' },
  ],
});
const kindOf = (entry: RequestEntry, given: Omit<Given, 'actor'>) => checkAnswer(entry, { actor, ...given }).kind;

describe('Q11: answers', () => {
  const one = asking({ choices: ['x', 'y'] });
  const many = asking({ choices: ['x', 'y'], multiple: true });
  const free = asking({});
  const mixed = asking({ choices: ['x'] }, {});
  for (const [what, entry, answers] of [
    ['one choice', one, [['y']]],
    ['several choices', many, [['y', 'x']]],
    ['one of several choices', many, [['x']]],
    ['free text', free, [['anything, at all']]],
    ['all questions', mixed, [['x'], ['why not']]],
  ] as const) {
    it(`are complete with ${what}`, () => {
      assert.deepEqual(checkAnswer(entry, { actor, answers }), { kind: 'complete', answers, approvals: [] });
    });
  }
  for (const [what, entry, answers] of [
    ['nothing', one, undefined],
    ['no lists', one, []],
    ['an empty list', one, [[]]],
    ['a list too many', one, [['x'], ['y']]],
    ['a question left out', mixed, [['x']]],
    ['a blank', free, [[' ']]],
    ['none of the choices', one, [['z']]],
    ['a choice in other letters', one, [['X']]],
    ['one of several that is no choice', many, [['x', 'z']]],
    ['two choices where one is asked', one, [['x', 'y']]],
    ['one choice twice', many, [['x', 'x']]],
    ['two free texts', free, [['a', 'b']]],
    ['two free texts of a question that takes many', asking({ multiple: true }), [['a', 'b']]],
  ] as const) {
    it(`are refused with ${what}`, () => {
      assert.equal(kindOf(entry, answers ? { answers } : {}), 'invalid');
    });
  }
  it('are no approvals', () => {
    assert.equal(kindOf(one, { approvals: [{ id: 'a', approved: true }] }), 'invalid');
    assert.equal(kindOf(gate, { answers: [['approved']] }), 'invalid');
  });
});

describe('Q11: approvals', () => {
  const yes = (id: string) => ({ id, approved: true });
  it('decide each tool once, and stand in the order of the request (Q9)', () => {
    const approvals = [yes('b'), { id: 'a', approved: false }];
    assert.deepEqual(checkAnswer(gate, { actor, approvals }), {
      kind: 'complete',
      answers: [],
      approvals: [{ id: 'a', approved: false }, yes('b')],
    });
  });
  for (const [what, approvals] of [
    ['no tool', []],
    ['a tool left out', [yes('a')]],
    ['a tool twice', [yes('a'), yes('b'), yes('a')]],
    ['a tool twice in place of another', [yes('a'), yes('a')]],
    ['a tool that nobody asked for', [yes('a'), yes('b'), yes('c')]],
    ['a tool that nobody asked for in place of another', [yes('a'), yes('c')]],
  ] as const) {
    it(`are refused with ${what}`, () => assert.equal(kindOf(gate, { approvals }), 'invalid'));
  }

  it('C098: are for who is an approver now too, and for nobody on a binding that allows them no more', () => {
    const approvals = [yes('a'), yes('b')];
    const by = (allowed: Parameters<typeof checkAnswer>[2]) => checkAnswer(gate, { actor, approvals }, allowed).kind;
    assert.deepEqual(
      [by({ toolApprovals: {} }), by({ toolApprovals: { approvers: [actor.id] } })],
      ['complete', 'complete'],
    );
    assert.deepEqual([by({ toolApprovals: { approvers: ['u9'] } }), by({})], ['forbidden', 'forbidden']);
  });

  it('C098: are for the approvers, whatever they say', () => {
    const guarded = { ...gate, approvers: ['u2'] };
    const approvals = [yes('a'), yes('b')];
    assert.equal(checkAnswer(guarded, { actor, approvals }).kind, 'forbidden');
    assert.equal(checkAnswer(guarded, { actor, approvals: [] }).kind, 'forbidden');
    assert.equal(checkAnswer(guarded, { actor: { id: 'u2' }, approvals }).kind, 'complete');
    assert.equal(checkAnswer({ ...gate, approvers: [] }, { actor, approvals }).kind, 'forbidden');
  });
});
