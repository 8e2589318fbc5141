import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ALLOWED,
  ada,
  answered,
  approval,
  askedBy,
  choice,
  decided,
  question,
  sentAnswer,
  stillPaused,
  typedWords,
} from './fixtures/asks.ts';
import {
  CLOSED,
  CUT,
  ended,
  failed,
  HEARD,
  named,
  paused,
  readFailed,
  readStatus,
  rejected,
  settledAs,
  stopAsked,
  story,
  takenUp,
  taskId,
} from './fixtures/story.ts';

const answerOf = (status = question()) => sentAnswer(status, answered([['eu']]));
const completed = { state: 'completed', codes: [] } as const;
const working = { state: 'working', codes: [] } as const;

describe('an answer that is given', () => {
  it('T5, C101: is durable first, then its task is read, and only then it is sent', () => {
    const it = askedBy(question()).happen(answered([['eu']]));
    assert.deepEqual([it.owed, it.states], ['check-answer', ['answered']]);
    assert.deepEqual(it.thread.turn?.answering, {
      text: '[Web: Ada (u1)]\neu',
      messageId: 't1.request.1.answer.1',
      actor: ada,
    });
    it.happen(stillPaused(question()));
    assert.deepEqual([it.owed, it.thread.turn?.answering?.sent, it.thread.turn?.taskId], ['answer', true, taskId]);
    it.happen(ended(CLOSED, { ...settledAs('completed', true), moved: true }));
    assert.deepEqual([it.owed, it.states, it.notices], ['settled completed', ['answered'], []]);
  });

  it('Q9: approved, denied, mixed, each with its audit', () => {
    for (const [decisions, text, decision] of [
      [{ a: true, b: true }, 'approved', 'approved'],
      [{ a: false, b: false }, 'rejected', 'denied'],
      [{ a: true, b: false }, 'rejected', 'denied'],
    ] as const) {
      const it = askedBy(approval('a', 'b')).happen(decided(decisions));
      assert.equal(it.thread.turn?.answering?.text, text);
      const [record, ...others] = it.audit;
      assert.deepEqual(others, []);
      assert.deepEqual(
        [record?.decision, record?.actor, record?.messageId, record?.atMs, record?.binding, record?.turn],
        [decision, ada, 't1.request.1.answer.1', 1_000_000, 'ops', 't1'],
      );
      assert.deepEqual(
        record?.approvals,
        Object.entries(decisions).map(([id, approved]) => ({ id, approved })),
      );
      assert.deepEqual(record?.tools[0], { id: 'a', name: 'delete_pod', args: { pod: 'a', password: '[redacted]' } });
    }
  });

  it('Q10: to structured questions has no prefix', () => {
    const it = askedBy(choice()).happen(answered([['eu']]));
    assert.equal(it.thread.turn?.answering?.text, 'eu');
    assert.deepEqual(
      it.audit.map(({ decision, answers }) => [decision, answers]),
      [['answered', [['eu']]]],
    );
  });

  it('C100: is one, whoever else answers', () => {
    const it = askedBy(approval('a')).happen(decided({ a: true }));
    const before = it.thread;
    it.happen(decided({ a: false }, { id: 'u2' }), decided({ a: true }));
    assert.equal(it.thread, before);
    assert.equal(it.audit.length, 1);
  });

  it('in mid-stream is taken too', () => {
    const it = story({ rules: { interactions: ALLOWED } }).happen(named, paused(question()), answered([['eu']]));
    assert.deepEqual([it.owed, it.states], ['check-answer', ['answered']]);
    assert.deepEqual(it.happen(ended(CUT, HEARD)).owed, 'check-answer');
  });

  it('T5: goes out without its task when that cannot be read', () => {
    const it = askedBy(question()).happen(answered([['eu']]), readFailed(failed('unknown')));
    assert.deepEqual([it.owed, it.thread.turn?.answering?.sent], ['answer', true]);
  });

  it('C064: comes too late when its task has ended, and has failed', () => {
    const it = askedBy(question()).happen(answered([['eu']]), readStatus(completed));
    assert.deepEqual([it.owed, it.states, it.notices], ['settled completed', ['failed'], ['request-failed']]);
    assert.deepEqual(
      it.audit.map(({ decision }) => decision),
      ['answered', 'canceled'],
    );
  });

  it('C064: comes too late when its task runs again, or asks something else', () => {
    const runs = askedBy(question()).happen(answered([['eu']]), readStatus(working));
    assert.deepEqual([runs.owed, runs.states, runs.notices], ['subscribe', ['failed'], ['request-failed']]);
    const asks = askedBy(question()).happen(answered([['eu']]), readStatus(question('And?', 'm2')));
    assert.deepEqual([asks.owed, asks.states, asks.notices], ['ask', ['failed', 'open'], ['request-failed']]);
    const other = askedBy(question()).happen(answered([['eu']]), readStatus(question('Other words?')));
    assert.deepEqual([other.owed, other.states], ['cancel', ['failed']]);
    assert.deepEqual(other.notices, ['request-failed', 'pause-unusable']);
  });

  it('has failed when the turn is stopped, refused or gone before it went out', () => {
    const given = () => askedBy(question()).happen(answered([['eu']]));
    const stopped = given().happen(stopAsked);
    assert.deepEqual([stopped.owed, stopped.states], ['cancel', ['failed']]);
    assert.deepEqual(stopped.audit.at(-1)?.messageId, 't1.request.1.answer.1');
    const refused = given().happen(readFailed(failed('credentials')));
    assert.deepEqual([refused.owed, refused.states], ['settled refused', ['failed']]);
    const gone = given().happen(readFailed(failed('not-found')));
    assert.deepEqual([gone.owed, gone.states, gone.notices], ['settled session-gone', ['failed'], ['session-gone']]);
    assert.equal(gone.thread.contextId, undefined);
  });

  it('has gone out when it is stopped after that', () => {
    const it = answerOf().happen(stopAsked);
    assert.deepEqual([it.owed, it.states], ['cancel', ['answered']]);
  });
});

describe('a crash around an answer', () => {
  it('between decision and send: it is sent, once', () => {
    const it = askedBy(approval('a')).happen(decided({ a: true }), takenUp);
    assert.equal(it.owed, 'check-answer');
    it.happen(stillPaused(approval('a')));
    assert.deepEqual([it.owed, it.thread.turn?.answering?.messageId], ['answer', 't1.request.1.answer.1']);
    assert.equal(it.audit.length, 1);
  });

  it('after the send: its task says whether it went through', () => {
    assert.equal(answerOf().happen(takenUp).owed, 'check-answer');
    assert.equal(answerOf().happen(takenUp, stillPaused(question())).owed, 'answer');
    const through = answerOf().happen(takenUp, readStatus(working));
    assert.deepEqual([through.owed, through.states, through.notices], ['subscribe', ['answered'], []]);
    assert.equal(answerOf().happen(takenUp, readFailed(failed('unknown'))).owed, 'wait 1000 check-answer');
  });

  it('while it waits, cancels, or a typed message is checked', () => {
    assert.equal(answerOf().happen(ended(failed('busy')), takenUp).owed, 'wait 1000 check-answer');
    assert.equal(answerOf().happen(ended(rejected(-32602)), takenUp).owed, 'check-answer');
    assert.equal(answerOf().happen(stopAsked, takenUp).owed, 'cancel');
    const typed = askedBy(question()).happen(typedWords('eu'));
    assert.equal(typed.happen(takenUp).owed, 'ask');
    const waits = askedBy(question()).happen(typedWords('eu'), readFailed(failed('unknown')));
    assert.deepEqual([waits.owed, waits.happen(takenUp).owed], ['wait 1000 check-typed', 'ask']);
  });
});
