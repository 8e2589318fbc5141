import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  CLOSED,
  CUT,
  cancelAnswered,
  contextId,
  ended,
  failed,
  named,
  read,
  settledAs,
  stopAsked,
  story,
  takenUp,
  woke,
} from './fixtures/story.ts';

describe('a turn that is taken up after a restart', () => {
  it('R9: a first send is made again, with its id', () => {
    assert.equal(story().happen(takenUp).owed, 'send');
  });

  it('M5: a send into a context is looked up', () => {
    assert.equal(story({ context: contextId }).happen(takenUp).owed, 'look-up');
  });

  it('M2: a recorded task is read before it is followed', () => {
    assert.equal(story().happen(named, takenUp).owed, 'read');
    assert.equal(story().happen(named, ended(CUT), woke, read('working'), takenUp).owed, 'read');
  });

  it('a wait goes on, and a cancel is made again', () => {
    assert.equal(story().happen(ended(failed('busy')), takenUp).owed, 'wait 1000 send');
    assert.equal(story().happen(named, stopAsked, takenUp).owed, 'cancel');
  });
});

describe('an event that comes late', () => {
  it('changes nothing', () => {
    const it = story().happen(named, stopAsked);
    const before = it.thread;
    for (const late of [
      ended(CLOSED, settledAs('completed', true)),
      woke,
      read('working'),
      { kind: 'looked-up', lookup: { kind: 'absent' } } as const,
    ]) {
      assert.equal(it.happen(late).thread, before);
    }
    it.happen(cancelAnswered('canceled'));
    assert.equal(it.happen(named, woke).owed, 'settled canceled');
  });
});
