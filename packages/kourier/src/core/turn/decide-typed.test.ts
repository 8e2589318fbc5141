import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answered, approval, askedBy, choice, DAY, question, stillPaused, typedWords } from './fixtures/asks.ts';
import { failed, named, paused, readFailed, readStatus, story, takenUp, woke } from './fixtures/story.ts';

const completed = { state: 'completed', codes: [] } as const;

describe('M2, decision 14: a message that is typed while a text question is open', () => {
  const typed = () => askedBy(question()).happen(typedWords('eu'));

  it('is its answer when the task still waits: sent at once, taken, with the prefix', () => {
    const it = typed();
    assert.deepEqual([it.owed, it.states, it.taken], ['check-typed', ['open'], []]);
    it.happen(stillPaused(question()));
    assert.deepEqual([it.owed, it.states, it.taken], ['answer', ['answered'], ['e9']]);
    assert.equal(it.thread.turn?.answering?.text, '[Web: Ada (u1)]\neu');
    assert.equal(it.thread.turn?.answering?.sent, true);
    assert.deepEqual(
      it.audit.map(({ decision, actor }) => [decision, actor.id]),
      [['answered', 'u1']],
    );
  });

  it('is none when the task has ended meanwhile: it stays in the queue, and the question is void', () => {
    const it = typed().happen(readStatus(completed));
    assert.deepEqual([it.owed, it.states, it.taken, it.notices], ['settled completed', ['canceled'], [], []]);
  });

  it('is none of another question', () => {
    const it = typed().happen(readStatus(question('And?', 'm2')));
    assert.deepEqual([it.owed, it.states, it.taken], ['ask', ['canceled', 'open'], []]);
  });

  it('waits while the task cannot be read, until it can', () => {
    const it = typed().happen(readFailed(failed('unknown')));
    assert.deepEqual([it.owed, it.states], ['wait 1000 check-typed', ['open']]);
    it.happen(woke, readFailed(failed('unknown')));
    assert.equal(it.owed, 'wait 2000 check-typed');
    it.happen(woke, stillPaused(question()));
    assert.deepEqual([it.owed, it.taken], ['answer', ['e9']]);
  });

  it('waits no longer than its question', () => {
    const it = typed();
    for (let round = 0; round < 10_000 && it.owed !== 'cancel'; round += 1)
      it.happen(readFailed(failed('unknown')), woke);
    assert.deepEqual([it.owed, it.states, it.taken], ['cancel', ['expired'], []]);
    assert.equal(it.atMs - 1_000_000, DAY);
  });

  it('is none when the time is over and the courier has not woken up to it', () => {
    const it = askedBy(question());
    it.atMs += DAY;
    it.happen(typedWords('eu'));
    assert.deepEqual([it.owed, it.states, it.taken], ['cancel', ['expired'], []]);
  });

  it('gives way to an answer that is given meanwhile', () => {
    const it = typed().happen(readFailed(failed('unknown')), answered([['us']]));
    assert.deepEqual([it.owed, it.states], ['check-answer', ['answered']]);
    assert.match(it.thread.turn?.answering?.text ?? '', /us$/);
    it.happen(stillPaused(question()));
    assert.deepEqual([it.owed, it.taken], ['answer', []]);
  });

  it('ends with the session, or with the credentials', () => {
    const gone = typed().happen(readFailed(failed('not-found')));
    assert.deepEqual([gone.owed, gone.states], ['settled session-gone', ['canceled']]);
    const refused = typed().happen(readFailed(failed('credentials')));
    assert.deepEqual([refused.owed, refused.states], ['settled refused', ['canceled']]);
  });
});

describe('C106, decision 14: a message that is typed while a structured request is open', () => {
  for (const status of [approval('a'), choice()]) {
    it('is no answer; whoever wrote it is pointed to the prompt, once', () => {
      const it = askedBy(status).happen(typedWords('yes'));
      assert.deepEqual([it.owed, it.states, it.taken, it.notices], ['ask', ['open'], [], ['answer-the-prompt']]);
      it.happen(typedWords('no wait, yes', 'e10'), takenUp, typedWords('yes', 'e11'));
      assert.deepEqual([it.owed, it.states, it.taken, it.notices], ['ask', ['open'], [], ['answer-the-prompt']]);
    });
  }
});

it('a message that is typed when nobody is waited for changes nothing', () => {
  const running = story().happen(named);
  assert.equal(running.happen(typedWords('hi')).last?.thread, running.thread);
  const streaming = story({ rules: { interactions: { questions: { timeoutMs: DAY } } } });
  assert.equal(streaming.happen(named, paused(question()), typedWords('eu')).owed, 'send');
});
