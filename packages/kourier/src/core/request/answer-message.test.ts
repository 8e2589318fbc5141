import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { approvalMessage, questionsMessage } from './answer-message.ts';

const yes = (id: string) => ({ id, approved: true });
const no = (id: string) => ({ id, approved: false });

describe('Q9: an approval answer, word for word', () => {
  it('approved', () => {
    assert.deepEqual(approvalMessage([yes('b'), yes('a')], 'person'), {
      text: 'approved',
      payload: {
        type: 'tool_approval_response',
        approvals: [
          { id: 'b', approved: true },
          { id: 'a', approved: true },
        ],
      },
    });
  });
  it('rejected when any tool is denied, with a reason for that one alone', () => {
    assert.deepEqual(approvalMessage([yes('a'), no('b')], 'person'), {
      text: 'rejected',
      payload: {
        type: 'tool_approval_response',
        approvals: [
          { id: 'a', approved: true },
          { id: 'b', approved: false, rejection_reason: 'denied by an approver in chat' },
        ],
      },
    });
  });
  it('denied by the courier, at the timeout and where it is not allowed', () => {
    const reason = (why: 'expired' | 'not-allowed') => approvalMessage([no('a')], why).payload?.['approvals'];
    assert.deepEqual(reason('expired'), [
      { id: 'a', approved: false, rejection_reason: 'denied by agent-kourier: no one decided in time' },
    ]);
    assert.deepEqual(reason('not-allowed'), [
      {
        id: 'a',
        approved: false,
        rejection_reason: 'denied by agent-kourier: this Binding does not allow tool approvals',
      },
    ]);
  });
});

describe('Q10, decision 15: a question answer, word for word', () => {
  it('structured: the id, one entry per question, and no prefix', () => {
    assert.deepEqual(questionsMessage('q1', [['eu'], ['a', 'b'], ['demo']], '[Web: (u1)]\n'), {
      text: 'eu; a, b; demo',
      payload: {
        type: 'ask_user_response',
        id: 'q1',
        answers: [{ answer: ['eu'] }, { answer: ['a', 'b'] }, { answer: ['demo'] }],
      },
    });
  });
  it('text: the words behind the prefix, and no payload', () => {
    assert.deepEqual(questionsMessage(undefined, [['eu']], '[Web: (u1)]\n'), { text: '[Web: (u1)]\neu' });
  });
});
