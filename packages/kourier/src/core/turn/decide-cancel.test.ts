import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_TIMINGS } from '../timings.ts';
import {
  cancelAnswered,
  ended,
  failed,
  HEARD,
  named,
  read,
  readFailed,
  settledAs,
  stopAsked,
  story,
  woke,
} from './fixtures/story.ts';

describe('a turn that is stopped', () => {
  it('cancels its task, and the state that comes back is told', () => {
    const it = story().happen(named, stopAsked);
    assert.equal(it.owed, 'cancel');
    it.happen(cancelAnswered('canceled'));
    assert.deepEqual([it.owed, it.notices], ['settled canceled', ['task-canceled']]);
  });

  it('C061: a task that cannot be cancelled because it has ended is read and ends as it did', () => {
    const it = story().happen(named, stopAsked, cancelAnswered({ kind: 'not-cancelable', why: '' }));
    assert.equal(it.owed, 'check-cancel');
    assert.equal(it.happen(read('completed', settledAs('completed', true))).owed, 'settled completed');
  });

  it('M4: a cancel is tried cancelAttempts times, told, and the task followed on', () => {
    const it = story().happen(named, stopAsked);
    let cancels = 0;
    while (it.owed === 'cancel' && cancels < 20) {
      cancels += 1;
      it.happen(cancelAnswered(failed('unsupported')), read('working'), woke);
    }
    assert.equal(cancels, DEFAULT_TIMINGS.cancelAttempts);
    assert.deepEqual([it.owed, it.notices], ['read', ['cancel-failed']]);
  });

  it('decision 3: behind a back-off the message is taken back at once', () => {
    const it = story().happen(ended(failed('busy')), stopAsked);
    assert.deepEqual([it.owed, it.notices], ['settled canceled', ['task-canceled']]);
  });

  it('in mid-send it is cancelled as soon as its task is named, or not sent again', () => {
    assert.equal(story().happen(stopAsked, named).owed, 'cancel');
    assert.equal(story().happen(stopAsked, ended(failed('unknown'))).owed, 'settled canceled');
  });

  it('tells once that a cancel failed, and then that the agent is out of reach', () => {
    const it = story({ lifelessAfterMs: 1_000 }).happen(named, stopAsked);
    for (let round = 0; round < 50 && it.step; round += 1) {
      if (it.owed === 'cancel') it.happen(cancelAnswered(failed('unknown')));
      else if (it.owed === 'check-cancel' || it.owed === 'read') it.happen(readFailed(failed('unknown')));
      else it.happen(woke);
    }
    assert.deepEqual([it.owed, it.notices], ['settled cancel-failed', ['cancel-failed', 'unreachable']]);
  });

  it('tells nothing more when a later cancel, told with its reason, fails as the stop did', () => {
    const it = story({ cancelAttempts: 1 }).happen(named, stopAsked);
    it.happen(cancelAnswered(failed('unknown')), readFailed(failed('unknown')));
    it.happen(read('working', { ...HEARD, overLimit: true }));
    it.happen(cancelAnswered(failed('unknown')), readFailed(failed('unknown')));
    assert.deepEqual([it.owed, it.notices], ['settled cancel-failed', ['cancel-failed', 'limit-exceeded']]);
  });
});
