import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TaskState } from '../reply/agent-event.ts';
import type { ContextId, MessageId, TaskId, ThreadId, TurnId } from '../thread/ids.ts';
import type { Thread } from '../thread/thread.ts';
import { DEFAULT_TIMINGS, type Timings } from '../timings.ts';
import type { Failure, StreamEnd } from './call-outcome.ts';
import { decide } from './decide.ts';
import type { Outcome, Rules } from './decision.ts';
import type { ReplySeen, TurnEvent } from './event.ts';

type Happened = TurnEvent extends infer Event
  ? Event extends unknown
    ? Omit<Event, 'atMs' | 'chance'>
    : never
  : never;

const NOTHING: ReplySeen = { message: false, heard: false, hasText: false, overLimit: false };
const taskId = 'task-1' as TaskId;
const contextId = 'ctx-1' as ContextId;
const settledAs = (state: TaskState, full: boolean): ReplySeen => ({
  ...NOTHING,
  heard: true,
  hasText: true,
  settled: { status: { state, codes: [] }, full },
});
const failed = (
  kind: 'unknown' | 'not-sent' | 'busy' | 'credentials' | 'identity' | 'not-found' | 'unsupported',
  retryAfterMs?: number,
) => ({ kind, why: kind, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }) as Failure;
const ended = (end: StreamEnd, reply: ReplySeen = NOTHING): Happened => ({ kind: 'stream-ended', end, reply });
const CLOSED: StreamEnd = { kind: 'closed' };
const CUT: StreamEnd = { kind: 'cut', why: 'lost' };
const named: Happened = { kind: 'named', taskId, contextId };
const woke: Happened = { kind: 'woke' };
const read = (state: TaskState, reply: ReplySeen = { ...NOTHING, heard: true }, fingerprint = state): Happened => ({
  kind: 'task-read',
  read: { kind: 'task', status: { state, codes: [] }, fingerprint },
  reply,
});
const readFailed = (failure: Failure): Happened => ({ kind: 'task-read', read: failure, reply: NOTHING });
const cancelAnswered = (answer: Failure | TaskState): Happened =>
  typeof answer === 'string'
    ? {
        kind: 'cancel-answered',
        read: { kind: 'task', status: { state: answer, codes: [] }, fingerprint: answer },
        reply: settledAs(answer, true),
      }
    : { kind: 'cancel-answered', read: answer, reply: NOTHING };

/** Tells a turn's story: each event a second later than the last, or when its wait ends. */
class Story {
  thread: Thread;
  readonly notices: string[] = [];
  outcome: Outcome | undefined;
  atMs = 1_000_000;
  readonly #rules: Rules;

  constructor({ context, ...timings }: Partial<Timings> & { context?: ContextId } = {}) {
    this.#rules = { timings: { ...DEFAULT_TIMINGS, ...timings }, dialect: 'a2a', interactions: {} };
    this.thread = { id: 'th' as ThreadId, binding: 'ops', ...(context && { contextId: context }) };
    const turn = {
      id: 't1' as TurnId,
      messageId: 'm1' as MessageId,
      text: 'Hi',
      traceId: '0'.repeat(32),
      acceptedAtMs: 0,
    };
    this.happen({ kind: 'turn-taken', turn });
  }

  happen(...events: readonly Happened[]): this {
    for (const event of events) {
      const { step } = this;
      if (event.kind === 'woke' && step?.kind === 'wait') this.atMs = Math.max(this.atMs, step.untilMs);
      const decision = decide(this.thread, { ...event, atMs: this.atMs, chance: 0 } as TurnEvent, this.#rules);
      this.thread = decision.thread;
      this.notices.push(...decision.notices.map(({ code }) => code));
      this.outcome ??= decision.outcome;
    }
    return this;
  }

  get step() {
    return this.thread.turn?.step;
  }

  /** What is owed, and for a wait how long and for what. */
  get owed(): string {
    const { step } = this;
    if (!step) return `settled ${this.outcome}`;
    return step.kind === 'wait' ? `wait ${step.untilMs - this.atMs} ${step.then.kind}` : step.kind;
  }
}

const story = (options?: ConstructorParameters<typeof Story>[0]) => new Story(options);

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
      { timings: DEFAULT_TIMINGS, dialect: 'a2a', interactions: {} },
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
    const it = story().happen(named, { kind: 'paused', status: { state: 'auth-required', codes: [] } });
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

describe('a task that is followed', () => {
  const droppedStream = (options?: Partial<Timings>) =>
    story(options).happen(named, ended(CUT, { ...NOTHING, heard: true }));

  it('R5, C053: a dropped stream is read after the drop delay, subscribed to while it runs, and never sent again', () => {
    const it = droppedStream();
    assert.equal(it.owed, 'wait 1000 read');
    assert.equal(it.happen(woke).owed, 'read');
    assert.equal(it.happen(read('working')).owed, 'subscribe');
    assert.equal(story().happen(named, ended(CLOSED, { ...NOTHING, heard: true })).owed, 'wait 1000 read');
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

describe('a turn that is stopped', () => {
  it('cancels its task, and the state that comes back is told', () => {
    const it = story().happen(named, { kind: 'stop-asked' });
    assert.equal(it.owed, 'cancel');
    it.happen(cancelAnswered('canceled'));
    assert.deepEqual([it.owed, it.notices], ['settled canceled', ['task-canceled']]);
  });

  it('C061: a task that cannot be cancelled because it has ended is read and ends as it did', () => {
    const it = story().happen(named, { kind: 'stop-asked' }, cancelAnswered({ kind: 'not-cancelable', why: '' }));
    assert.equal(it.owed, 'check-cancel');
    assert.equal(it.happen(read('completed', settledAs('completed', true))).owed, 'settled completed');
  });

  it('M4: a cancel is tried cancelAttempts times, told, and the task followed on', () => {
    const it = story().happen(named, { kind: 'stop-asked' });
    let cancels = 0;
    while (it.owed === 'cancel' && cancels < 20) {
      cancels += 1;
      it.happen(cancelAnswered(failed('unsupported')), read('working'), woke);
    }
    assert.equal(cancels, DEFAULT_TIMINGS.cancelAttempts);
    assert.deepEqual([it.owed, it.notices], ['read', ['cancel-failed']]);
  });

  it('decision 3: behind a back-off the message is taken back at once', () => {
    const it = story().happen(ended(failed('busy')), { kind: 'stop-asked' });
    assert.deepEqual([it.owed, it.notices], ['settled canceled', ['task-canceled']]);
  });

  it('in mid-send it is cancelled as soon as its task is named, or not sent again', () => {
    assert.equal(story().happen({ kind: 'stop-asked' }, named).owed, 'cancel');
    assert.equal(story().happen({ kind: 'stop-asked' }, ended(failed('unknown'))).owed, 'settled canceled');
  });
});

describe('a turn that is taken up after a restart', () => {
  const takenUp: Happened = { kind: 'taken-up' };

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
    assert.equal(story().happen(named, { kind: 'stop-asked' }, takenUp).owed, 'cancel');
  });
});

describe('an event that comes late', () => {
  it('changes nothing', () => {
    const it = story().happen(named, { kind: 'stop-asked' });
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
