import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_TIMINGS } from '../timings.ts';
import type { StreamEnd } from './call-outcome.ts';
import {
  answered,
  approval,
  askedBy,
  decided,
  question,
  sentAnswer,
  stillPaused,
  typedWords,
} from './fixtures/asks.ts';
import {
  CLOSED,
  CUT,
  cancelAnswered,
  ended,
  failed,
  HEARD,
  NOTHING,
  paused,
  readFailed,
  readStatus,
  rejected,
  settledAs,
  settledBy,
  woke,
} from './fixtures/story.ts';

const MOVED = { ...HEARD, moved: true };
const answerOf = (status = question()) => sentAnswer(status, answered([['eu']]));
const completed = { state: 'completed', codes: [] } as const;
const working = { state: 'working', codes: [] } as const;

describe('an answer that went out', () => {
  it('is taken when its task has moved, and the turn goes on as after any send', () => {
    const cut = answerOf().happen(ended(CUT, MOVED));
    assert.deepEqual([cut.owed, cut.states], ['wait 1000 read', ['answered']]);
    assert.equal(cut.thread.turn?.answering, undefined);
    const status = answerOf().happen(ended(CLOSED, { ...settledAs('completed', false), moved: true }));
    assert.equal(status.owed, 'read');
    const failedTask = answerOf().happen(ended(CLOSED, { ...settledAs('failed', true), moved: true }));
    assert.deepEqual([failedTask.owed, failedTask.notices], ['settled failed', ['task-failed']]);
  });

  it('and then a limit ends the turn, not the answer', () => {
    const it = answerOf().happen(ended(CLOSED, { ...MOVED, overLimit: true }));
    assert.deepEqual([it.owed, it.states, it.notices], ['cancel', ['answered'], ['limit-exceeded']]);
  });

  it('may be followed by the next question, on its stream', () => {
    const it = answerOf().happen(paused(question('And?', 'm2')));
    assert.deepEqual([it.owed, it.states], ['answer', ['answered', 'open']]);
    it.happen(ended(CLOSED, { ...settledBy(question('And?', 'm2'), true), moved: true }));
    assert.equal(it.owed, 'ask');
    it.happen(answered([['us']]), stillPaused(question('And?', 'm2')));
    assert.equal(it.thread.turn?.answering?.messageId, 't1.request.2.answer.2');
    assert.deepEqual(
      it.audit.map(({ decision }) => decision),
      ['answered', 'answered'],
    );
  });

  it('Q3: may be followed by the same question again, which takes its old place, and another id for its answer', () => {
    const it = answerOf().happen(paused(question('And?', 'm2')), paused(question()));
    assert.deepEqual([...it.requests.keys()], ['t1.request.1', 't1.request.2']);
    assert.deepEqual(it.states, ['open', 'canceled']);
    it.happen(answered([['us']]));
    assert.equal(it.thread.turn?.answering?.messageId, 't1.request.1.answer.2');
  });

  for (const [what, end] of [
    ['5xx or a lost connection', failed('unknown')],
    ['silence', CLOSED],
    ['C065 a stream that breaks', CUT],
  ] satisfies [string, StreamEnd][]) {
    it(`has an unknown outcome after ${what}: its task is read, and while it waits the same answer is sent again`, () => {
      const it = answerOf().happen(ended(end));
      assert.deepEqual([it.owed, it.states], ['wait 1000 check-answer', ['answered']]);
      it.happen(woke, stillPaused(question()));
      assert.deepEqual([it.owed, it.thread.turn?.answering?.messageId], ['answer', 't1.request.1.answer.1']);
      it.happen(ended(end), woke, readStatus(working));
      assert.deepEqual([it.owed, it.states, it.notices], ['subscribe', ['answered'], []]);
    });
  }

  it('is not sent again blindly', () => {
    const it = answerOf().happen(ended(failed('unknown')), woke, readFailed(failed('unknown')));
    assert.equal(it.owed, 'wait 2000 check-answer');
  });

  it('certainly not sent, it is sent again without its task', () => {
    const it = answerOf().happen(ended(failed('not-sent')), woke, readFailed(failed('unknown')));
    assert.equal(it.owed, 'answer');
  });

  it('C065: is open for another answer when its task waits for it to the last', () => {
    for (const end of [failed('unknown'), failed('not-sent')]) {
      const it = answerOf();
      for (let round = 0; round < 500 && it.owed !== 'ask' && it.step; round += 1) {
        it.happen(ended(end), woke, stillPaused(question()));
      }
      assert.deepEqual([it.owed, it.states, it.notices], ['ask', ['open'], ['request-failed']]);
      assert.equal(it.atMs - 1_000_000, DEFAULT_TIMINGS.giveUpAfterMs);
      assert.equal([...it.requests.values()][0]?.answer, undefined);
      assert.ok(!JSON.stringify(it.thread).includes('answering'));
      it.happen(answered([['us']]));
      assert.equal(it.thread.turn?.answering?.messageId, 't1.request.1.answer.2');
      assert.equal(it.thread.turn?.troubleSinceMs, undefined);
    }
  });

  it('that may have been taken is not asked for again when its task cannot be read to the last', () => {
    const it = answerOf();
    for (let round = 0; round < 500 && it.step; round += 1) {
      it.happen(ended(failed('unknown')), woke, readFailed(failed('unknown')));
    }
    assert.deepEqual([it.owed, it.notices], ['settled unreachable', ['unreachable']]);
    assert.equal(it.atMs - 1_000_000, DEFAULT_TIMINGS.giveUpAfterMs);
  });

  it('that certainly was not is open again', () => {
    const it = answerOf();
    for (let round = 0; round < 500 && it.owed !== 'ask' && it.step; round += 1) {
      it.happen(ended(failed('not-sent')), woke, readFailed(failed('not-sent')));
    }
    assert.deepEqual([it.owed, it.states, it.notices], ['ask', ['open'], ['request-failed']]);
  });

  it('R11: is open again after a bare message, when its task still waits', () => {
    const it = answerOf().happen(ended(CLOSED, { ...HEARD, answeredByMessage: true }));
    assert.equal(it.owed, 'check-answer');
    it.happen(stillPaused(question()));
    assert.deepEqual([it.owed, it.states, it.notices], ['ask', ['open'], ['request-failed']]);
  });

  it('R11: and else its task goes on, the answer failed', () => {
    const it = answerOf().happen(ended(CLOSED, { ...HEARD, answeredByMessage: true }), readStatus(completed));
    assert.deepEqual([it.owed, it.states, it.notices], ['settled completed', ['failed'], ['request-failed']]);
  });

  it('Q12: -32603 cancels its task, and is told', () => {
    const it = answerOf().happen(ended({ kind: 'unknown', code: -32603, why: '' }));
    assert.deepEqual([it.owed, it.states, it.notices], ['cancel', ['failed'], ['answer-rejected']]);
    it.happen(cancelAnswered('canceled'));
    assert.deepEqual([it.owed, it.notices], ['settled canceled', ['answer-rejected']]);
  });

  it('C064, 4xx and every other no: its task says whether it may be answered again', () => {
    for (const end of [rejected(-32602), rejected(-32600), failed('unsupported'), failed('not-found')]) {
      const open = answerOf().happen(ended(end), stillPaused(question()));
      assert.deepEqual([open.owed, open.states, open.notices], ['ask', ['open'], ['request-failed']]);
      const over = answerOf().happen(ended(end), readStatus(completed));
      assert.deepEqual([over.owed, over.states, over.notices], ['settled completed', ['failed'], ['request-failed']]);
    }
    const gone = answerOf().happen(ended(failed('not-found')), readFailed(failed('not-found')));
    assert.deepEqual([gone.owed, gone.states], ['settled session-gone', ['failed']]);
  });

  it('and a task that cannot be read keeps a refused answer waiting, but never sends it again', () => {
    const it = answerOf().happen(ended(rejected(-32602)));
    for (let round = 0; round < 500 && it.owed !== 'ask' && it.step; round += 1) {
      it.happen(readFailed(failed('unknown')));
      assert.notEqual(it.owed, 'answer');
      it.happen(woke);
    }
    assert.deepEqual([it.owed, it.states], ['ask', ['open']]);
  });

  it('decision 3: -32004 sends it again while its task waits, for as long as it takes, told once', () => {
    const it = answerOf();
    for (let round = 0; round < 100; round += 1) it.happen(ended(failed('busy')), woke, stillPaused(question()));
    assert.deepEqual([it.owed, it.notices, it.states], ['answer', ['busy'], ['answered']]);
    assert.ok(it.atMs - 1_000_000 > DEFAULT_TIMINGS.giveUpAfterMs);
    it.happen(ended(failed('busy')), woke, readStatus(completed));
    assert.deepEqual([it.owed, it.states, it.notices], ['settled completed', ['failed'], ['busy', 'request-failed']]);
  });

  it('E1, E2: rejected credentials end the turn, the answer failed', () => {
    for (const kind of ['credentials', 'identity'] as const) {
      const it = answerOf().happen(ended(failed(kind)));
      assert.deepEqual([it.owed, it.states], ['settled refused', ['failed']]);
    }
  });

  it('too large a reply is told and cancelled', () => {
    const it = answerOf().happen(ended(failed('too-large'), NOTHING));
    assert.deepEqual([it.owed, it.notices], ['cancel', ['limit-exceeded']]);
  });
});

describe('more than can be carried', () => {
  const MORE = { ...HEARD, overLimit: true };
  const readMore = { ...stillPaused(question()), reply: MORE } as const;

  it('when the task is read before an answer: told and cancelled, the answer failed', () => {
    const it = askedBy(question()).happen(answered([['eu']]), readMore);
    assert.deepEqual([it.owed, it.states, it.notices], ['cancel', ['failed'], ['limit-exceeded']]);
  });
  it('when it is read for a typed message: the question is void', () => {
    const it = askedBy(question()).happen(typedWords('eu'), readMore);
    assert.deepEqual([it.owed, it.states, it.taken], ['cancel', ['canceled'], []]);
  });
  it('when it comes for an answer, before its task has moved', () => {
    const it = answerOf().happen(ended(CLOSED, MORE));
    assert.deepEqual([it.owed, it.states, it.notices], ['cancel', ['answered'], ['limit-exceeded']]);
  });
});

describe('C098: an answer of somebody who may not decide', () => {
  const refused = { kind: 'answer-refused', actor: { id: 'u2' } } as const;
  it('is on record, and changes nothing else', () => {
    const it = askedBy(approval('a'));
    const before = JSON.stringify(it.thread);
    it.happen(refused);
    assert.equal(JSON.stringify(it.thread), before);
    assert.deepEqual(
      it.audit.map(({ decision, actor, tools }) => [decision, actor.id, tools.length]),
      [['refused', 'u2', 1]],
    );
  });
  it('is nothing to a request that was decided', () => {
    assert.equal(askedBy(approval('a')).happen(decided({ a: true }), refused).audit.length, 1);
  });
});
