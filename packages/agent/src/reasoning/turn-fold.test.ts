import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { heard, inShort, more, said, status, text } from '../../test/agent-says.ts';

const WORKING = status('TASK_STATE_WORKING');
const DONE = status('TASK_STATE_COMPLETED');

describe('a bare message', () => {
  const message = (said: string, more: object = {}) => ({
    message: { messageId: 'm', contextId: 'c', role: 'ROLE_AGENT', parts: [{ text: said }], ...more },
  });

  test('R10, decision 9: the first is the whole turn', async () => {
    const sent = [said(message('First.')), said(message('Second.')), more('a', text('Third.'))];
    const { events, end } = await heard(sent);
    assert.deepEqual(inShort(events), ['text  +First.']);
    assert.deepEqual(end, {
      type: 'end',
      outcome: 'completed',
      answer: 'First.',
      taskId: undefined,
      contextId: 'c',
      status: undefined,
    });
  });

  test('R10: of the user, of a task or beside one it is none', async () => {
    for (const sent of [
      [said(message('No.', { role: 'ROLE_USER' }))],
      [said(message('No.', { taskId: 't' }))],
      [WORKING, said(message('No.'))],
    ]) {
      const { events, end } = await heard(sent);
      assert.deepEqual(events, []);
      assert.equal(end.outcome, 'interrupted');
    }
  });

  test('who leaves the role out is the agent that was called; an unknown role is nobody', async () => {
    assert.equal((await heard([said(message('Yes.', { role: undefined }))])).end.answer, 'Yes.');
    assert.equal((await heard([said(message('No.', { role: 'ROLE_ROBOT' }))])).end.answer, '');
  });
});

describe('the end', () => {
  const ENDS = [
    ['TASK_STATE_COMPLETED', 'completed'],
    ['TASK_STATE_INPUT_REQUIRED', 'paused'],
    ['TASK_STATE_AUTH_REQUIRED', 'paused'],
    ['TASK_STATE_FAILED', 'failed'],
    ['TASK_STATE_CANCELED', 'failed'],
    ['TASK_STATE_REJECTED', 'failed'],
    ['TASK_STATE_WORKING', 'interrupted'],
    ['TASK_STATE_SUBMITTED', 'interrupted'],
    ['dancing', 'interrupted'],
  ] as const;

  for (const [state, outcome] of ENDS) {
    test(`${state} is ${outcome}, with what was said and why`, async () => {
      const { end } = await heard([more('a', text('So far.')), status(state, 'Why.')]);
      assert.equal(end.outcome, outcome);
      assert.equal(end.answer, 'So far.');
      assert.deepEqual([end.taskId, end.contextId], ['t', 'c']);
      assert.deepEqual(end.status?.message?.parts[0]?.source, { text: 'Why.' });
    });
  }

  test('nothing at all is interrupted', async () => {
    assert.equal((await heard([])).end.outcome, 'interrupted');
  });

  test('a pause that is over is none; an end that was seen stays, and takes what it says of itself', async () => {
    const paused = status('TASK_STATE_INPUT_REQUIRED', 'Delete 3 rows?');
    assert.equal((await heard([paused, WORKING])).end.outcome, 'interrupted');
    assert.equal((await heard([status('TASK_STATE_FAILED'), WORKING, DONE])).end.outcome, 'failed');
    const { end } = await heard([status('TASK_STATE_FAILED'), WORKING, DONE, status('TASK_STATE_FAILED', 'Why.')]);
    assert.equal(end.outcome, 'failed');
    assert.deepEqual(end.status?.message?.parts[0]?.source, { text: 'Why.' });
  });
});
