import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TaskState } from '../reply/agent-event.ts';
import type { ContextId } from '../thread/ids.ts';
import { DEFAULT_TIMINGS } from '../timings.ts';
import type { Failure } from './call-outcome.ts';
import { decide } from './decide.ts';
import {
  CLOSED,
  CUT,
  cancelAnswered,
  contextId,
  ended,
  failed,
  NOTHING,
  named,
  paused,
  read,
  readFailed,
  settledAs,
  story,
  taskId,
  woke,
} from './fixtures/story.ts';

describe('a turn that is sent', () => {
  it('R5: ends with a full task, without another read', () => {
    assert.equal(story().happen(named, ended(CLOSED, settledAs('completed', true))).owed, 'settled completed');
  });

  it('R6: a clean end on a terminal status leads to one read at once, whose task is the last word', () => {
    const it = story().happen(named, ended(CLOSED, settledAs('completed', false)));
    assert.equal(it.owed, 'read');
    assert.equal(it.happen(read('completed', settledAs('completed', true))).owed, 'settled completed');
  });

  it('R6: an end with an error, or a read that fails or shows another state, is a dropped stream', () => {
    assert.equal(story().happen(named, ended(CUT, settledAs('completed', false))).owed, 'wait 1000 read');
    const after = () => story().happen(named, ended(CLOSED, settledAs('completed', false)));
    assert.equal(after().happen(readFailed(failed('unknown'))).owed, 'wait 1000 read');
    assert.equal(after().happen(read('working')).owed, 'wait 1000 read');
  });

  it('R4: a completed task without text is told', () => {
    const reply = { ...settledAs('completed', true), hasText: false };
    const it = story().happen(named, ended(CLOSED, reply));
    assert.deepEqual([it.owed, it.notices], ['settled no-output', ['no-output']]);
  });

  it('R10: a bare message is the whole turn, and nothing is recorded but its context', () => {
    const it = story().happen(
      { kind: 'named', contextId },
      ended(CLOSED, { ...NOTHING, message: true, heard: true, hasText: true }),
    );
    assert.equal(it.owed, 'settled completed');
    assert.equal(it.thread.contextId, contextId);
  });

  it('R2: events without a task leave nothing to follow, and the turn is not sent again', () => {
    const it = story().happen(ended(CLOSED, { ...NOTHING, heard: true, hasText: true }));
    assert.deepEqual([it.owed, it.notices], ['settled request-failed', ['request-failed']]);
  });

  it('R1 and R9: silence leaves the outcome unknown; without a context the turn is sent again', () => {
    const it = story().happen(ended(CLOSED));
    assert.equal(it.owed, 'wait 1000 send');
    assert.equal(it.happen(woke).owed, 'send');
    assert.equal(it.thread.turn?.messageId, 'm1');
  });

  it('M5 and E6: an unknown outcome in a context is looked up before it is sent again', () => {
    const it = story({ context: contextId }).happen(ended(failed('unknown')), woke);
    assert.equal(it.owed, 'look-up');
    it.happen({ kind: 'looked-up', lookup: { kind: 'absent' } });
    assert.equal(it.owed, 'send');
    it.happen(ended(failed('unknown')), woke, { kind: 'looked-up', lookup: { kind: 'found', taskId } });
    assert.equal(it.owed, 'read');
    assert.equal(it.thread.turn?.taskId, taskId);
  });

  it('E5: what was certainly not sent is sent again without a look-up', () => {
    assert.equal(story({ context: contextId }).happen(ended(failed('not-sent')), woke).owed, 'send');
  });

  it('C133: a connection that failed before the first event is no task to subscribe to', () => {
    assert.equal(story().happen(ended(failed('not-sent'))).owed, 'wait 1000 send');
  });

  for (const kind of ['unknown', 'not-sent'] as const) {
    it(`gives up on ${kind} after giveUpAfter, backing off up to the maximum`, () => {
      const it = story();
      const waits: string[] = [];
      while (it.step && waits.length < 100) {
        it.happen(ended(failed(kind)));
        waits.push(it.owed);
        it.happen(woke);
      }
      assert.deepEqual(
        waits.slice(0, 7),
        [1, 2, 4, 8, 16, 30, 30].map((s) => `wait ${s}000 send`),
      );
      assert.deepEqual([it.owed, it.notices], ['settled unreachable', ['unreachable']]);
      assert.equal(it.atMs - 1_000_000, DEFAULT_TIMINGS.giveUpAfterMs);
    });
  }

  it('honours Retry-After, but gives up in time', () => {
    const it = story().happen(ended(failed('unknown', 60_000)));
    assert.equal(it.owed, 'wait 60000 send');
    it.happen(woke, ended(failed('unknown', 86_400_000)));
    assert.equal(it.owed, `wait ${DEFAULT_TIMINGS.giveUpAfterMs - 60_000} send`);
    assert.equal(it.happen(woke).owed, 'settled unreachable');
  });

  it('a look-up that fails is made again, and gives up like a send', () => {
    const it = story({ context: contextId, giveUpAfterMs: 3_000 }).happen(ended(failed('unknown')), woke);
    it.happen({ kind: 'looked-up', lookup: failed('unsupported') });
    assert.equal(it.owed, 'wait 2000 look-up');
    assert.equal(it.happen(woke).owed, 'settled unreachable');
  });

  it('E3: busy is tried again for as long as it takes, and told once after busyNoticeAfter', () => {
    const it = story();
    for (let times = 0; times < 200; times += 1) it.happen(ended(failed('busy')), woke);
    assert.deepEqual([it.owed, it.notices], ['send', ['busy']]);
    assert.ok(it.atMs - 1_000_000 > DEFAULT_TIMINGS.giveUpAfterMs);
  });

  it('E3: the thread is told in time even when the agent asks for an hour', () => {
    const it = story().happen(ended(failed('busy', 3_600_000)));
    it.atMs += DEFAULT_TIMINGS.busyNoticeAfterMs;
    const wakeEarly = decide(
      it.thread,
      { kind: 'woke', atMs: it.atMs, chance: 0 },
      { timings: DEFAULT_TIMINGS, dialect: 'a2a', choosesAgent: false, interactions: {} },
    );
    assert.deepEqual(
      wakeEarly.notices.map(({ code }) => code),
      ['busy'],
    );
    assert.equal(wakeEarly.thread.turn?.step.kind, 'wait');
  });

  it('E1, E2, D1: refusals are final', () => {
    const of = (failure: Failure) => {
      const it = story().happen(ended(failure));
      return [it.owed, ...it.notices];
    };
    assert.deepEqual(of(failed('credentials')), ['settled refused', 'credentials-rejected']);
    assert.deepEqual(of(failed('identity')), ['settled refused', 'identity-refused']);
    assert.deepEqual(of({ kind: 'refused', reason: 'no-jsonrpc', why: '' }), ['settled refused', 'card-refused']);
    assert.deepEqual(of({ kind: 'rejected', code: -32602, why: '' }), ['settled request-failed', 'request-failed']);
  });

  it('R3: another context is told once and kept', () => {
    const other = 'ctx-2' as ContextId;
    const it = story({ context: contextId }).happen(
      { kind: 'named', taskId, contextId: other },
      { kind: 'named', taskId, contextId: other },
    );
    assert.deepEqual(it.notices, ['context-lost']);
    assert.equal(it.thread.contextId, other);
  });

  it('Q1 and C073: every terminal state ends the turn with its notice', () => {
    const of = (state: TaskState) => {
      const it = story().happen(named, ended(CLOSED, settledAs(state, true)));
      return [it.owed, ...it.notices];
    };
    assert.deepEqual(of('failed'), ['settled failed', 'task-failed']);
    assert.deepEqual(of('rejected'), ['settled rejected', 'task-rejected']);
    assert.deepEqual(of('canceled'), ['settled canceled', 'task-canceled']);
    assert.deepEqual(of('unknown'), ['settled failed', 'task-failed']);
  });

  it('Q2, C055, C115: a pause that cannot be used is told on its event, and its task cancelled', () => {
    const it = story().happen(named, paused({ state: 'auth-required', codes: [] }));
    assert.deepEqual([it.owed, it.notices], ['cancel', ['pause-unusable']]);
    it.happen(cancelAnswered('canceled'));
    assert.deepEqual([it.owed, it.notices], ['settled pause-unusable', ['pause-unusable']]);
  });

  it('an answer over a limit is told and its task cancelled', () => {
    const it = story().happen(named, ended(CLOSED, { ...NOTHING, heard: true, overLimit: true }));
    assert.deepEqual([it.owed, it.notices], ['cancel', ['limit-exceeded']]);
    assert.equal(story().happen(ended({ kind: 'too-large', why: '' })).owed, 'settled limit-exceeded');
  });
});
