import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Timings } from '../timings.ts';
import {
  CLOSED,
  CUT,
  cancelAnswered,
  ended,
  failed,
  HEARD,
  NOTHING,
  named,
  read,
  readFailed,
  readStatus,
  settledAs,
  story,
  woke,
} from './fixtures/story.ts';

describe('a task that is followed', () => {
  const droppedStream = (options?: Partial<Timings>) => story(options).happen(named, ended(CUT, HEARD));

  it('R5, C053: a dropped stream is read after the drop delay, subscribed to while it runs, and never sent again', () => {
    const it = droppedStream();
    assert.equal(it.owed, 'wait 1000 read');
    assert.equal(it.happen(woke).owed, 'read');
    assert.equal(it.happen(read('working')).owed, 'subscribe');
    assert.equal(story().happen(named, ended(CLOSED, HEARD)).owed, 'wait 1000 read');
  });

  it('C067: a task that failed before its stream broke is told as failed, with what kind of failure it was', () => {
    const it = story().happen(named, ended(CUT, settledAs('failed', false)));
    assert.equal(it.owed, 'wait 1000 read');
    it.happen(woke, readStatus({ state: 'failed', codes: ['rate_limit'] }));
    assert.deepEqual([it.owed, it.notices], ['settled failed', ['task-failed']]);
    assert.equal(it.last?.notices[0]?.category, 'rate-limit');
  });

  it('C056: a snapshot in a paused state settles the follow', () => {
    const it = droppedStream().happen(woke, read('working'), ended(CLOSED, settledAs('input-required', true)));
    assert.deepEqual([it.owed, it.notices], ['cancel', ['pause-unusable']]);
  });

  it('backs off up to a minute while calls fail, and starts anew with a sign of life', () => {
    const it = droppedStream();
    const waits: string[] = [];
    for (let times = 0; times < 8; times += 1) {
      it.happen(woke, readFailed(failed('unknown')));
      waits.push(it.owed);
    }
    assert.deepEqual(
      waits,
      [1, 2, 4, 8, 16, 32, 60, 60].map((s) => `wait ${s}000 read`),
    );
    it.happen(woke, read('working'), { kind: 'stream-ended', end: CUT, reply: NOTHING, lifeAtMs: it.atMs });
    assert.equal(it.owed, 'wait 1000 read');
  });

  it('E7: Retry-After is honoured on reconnects', () => {
    const it = droppedStream().happen(woke, read('working'), ended(failed('unknown', 120_000)));
    assert.equal(it.owed, 'wait 120000 read');
  });

  it('M3: without SubscribeToTask the task is read until it ends', () => {
    const it = droppedStream().happen(woke, read('working'), ended(failed('unsupported')), woke, read('working'));
    assert.match(it.owed, /^wait \d+ read$/);
    it.happen(woke, read('completed', settledAs('completed', true)));
    assert.equal(it.owed, 'settled completed');
  });

  it('E4: -32001 from GetTask ends the session', () => {
    const it = droppedStream().happen(woke, readFailed(failed('not-found')));
    assert.deepEqual([it.owed, it.notices], ['settled session-gone', ['session-gone']]);
    assert.equal(it.thread.contextId, undefined);
  });

  it('decision 5: after -32001 from SubscribeToTask one read decides', () => {
    const doubted = () => droppedStream().happen(woke, read('working'), ended(failed('not-found')));
    assert.equal(doubted().owed, 'read');
    assert.equal(doubted().happen(read('completed', settledAs('completed', true))).owed, 'settled completed');
    assert.equal(doubted().happen(read('working')).owed, 'settled session-gone');
    assert.equal(doubted().happen(readFailed(failed('unknown')), woke, read('working')).owed, 'settled session-gone');
  });

  it('M4, C059: a task that only stands still is cancelled after lifelessAfter', () => {
    const it = droppedStream({ lifelessAfterMs: 10_000 }).happen(woke, read('working'));
    let rounds = 0;
    while (it.owed !== 'cancel' && rounds < 50) {
      it.happen(ended(CUT), woke, read('working'));
      rounds += 1;
    }
    assert.equal(it.owed, 'cancel');
    assert.ok(rounds > 1 && rounds < 50);
    it.happen(cancelAnswered('canceled'));
    assert.deepEqual([it.owed, it.notices], ['settled canceled', ['task-canceled']]);
  });

  it('M4: the hour counts from the loss of its stream, so that a task is read first when the machine has slept', () => {
    const it = story().happen(named);
    const lifeAtMs = it.atMs;
    it.atMs += 2 * 3_600_000;
    it.happen({ kind: 'stream-ended', end: CUT, reply: HEARD, lifeAtMs });
    assert.equal(it.owed, 'wait 1000 read');
    assert.equal(it.happen(woke, read('completed', settledAs('completed', true))).owed, 'settled completed');
  });

  it('C058: a task that said it had completed is taken at its word when its store never shows it', () => {
    const it = story({ lifelessAfterMs: 10_000 }).happen(named, ended(CLOSED, settledAs('completed', false)));
    for (let rounds = 0; rounds < 50 && it.step; rounds += 1) {
      it.happen(read('working', { ...NOTHING, heard: true, hasText: true }), woke);
      if (it.step?.kind === 'subscribe') it.happen(ended(failed('unknown')), woke);
    }
    assert.deepEqual([it.owed, it.notices], ['settled completed', []]);
  });

  it('E1: rejected credentials end the follow', () => {
    assert.equal(droppedStream().happen(woke, readFailed(failed('credentials'))).owed, 'settled refused');
  });
});
