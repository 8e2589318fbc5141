import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LIMITS } from '../limits.ts';
import {
  ALLOWED,
  ada,
  answered,
  approval,
  askedBy,
  choice,
  DAY,
  HOUR,
  question,
  stillPaused,
} from './fixtures/asks.ts';
import {
  CLOSED,
  CUT,
  cancelAnswered,
  ended,
  failed,
  HEARD,
  named,
  paused,
  read,
  readFailed,
  readStatus,
  settledAs,
  settledBy,
  stopAsked,
  story,
  takenUp,
  woke,
} from './fixtures/story.ts';

describe('a pause that asks', () => {
  it('C055, decision 2: is put on its event, and waits for a person when its stream has ended', () => {
    const it = story({ rules: { interactions: ALLOWED } }).happen(named, paused(question()));
    assert.deepEqual([it.owed, it.states], ['send', ['open']]);
    it.happen(ended(CLOSED, settledBy(question(), true)));
    assert.deepEqual([it.owed, it.states, it.notices], ['ask', ['open'], []]);
    const [request] = it.requests.values();
    assert.deepEqual(request, {
      kind: 'request',
      id: 't1.request.1',
      turnId: 't1',
      type: 'text',
      state: 'open',
      heading: 'The agent needs your input',
      questions: [{ question: 'Which region?', choices: [], multiple: false }],
      tools: [],
      until: new Date(1_000_000 + DAY).toISOString(),
    });
  });

  it('Q3: the same name with the same words is the same question, and not put again', () => {
    const it = askedBy(question());
    const before = it.thread.turn?.request;
    it.happen(takenUp);
    assert.equal(it.owed, 'ask');
    const again = story({ rules: { interactions: ALLOWED } }).happen(named, paused(question()), paused(question()));
    assert.deepEqual([again.states, again.last?.requests ?? []], [['open'], []]);
    assert.deepEqual(again.thread.turn?.request, before);
  });

  it('Q3: the same name with other words cannot be shown; the question before is void', () => {
    const it = story({ rules: { interactions: ALLOWED } }).happen(
      named,
      paused(question()),
      paused(question('Other?')),
    );
    assert.deepEqual([it.owed, it.states, it.notices], ['cancel', ['canceled'], ['pause-unusable']]);
    assert.equal(it.thread.turn?.request, undefined);
  });

  it('that is followed by another one leaves none open behind it', () => {
    const it = story({ rules: { interactions: ALLOWED } }).happen(
      named,
      paused(question()),
      paused(question('And?', 'm2')),
    );
    assert.deepEqual([...it.requests.keys()], ['t1.request.1', 't1.request.2']);
    assert.deepEqual(it.states, ['canceled', 'open']);
    assert.deepEqual(
      it.audit.map(({ request, decision, actor }) => [request, decision, actor.id]),
      [['t1.request.1', 'canceled', 'agent-kourier']],
    );
  });

  it('C049: is found by GetTask when it was never streamed', () => {
    const it = story({ rules: { interactions: ALLOWED } }).happen(
      named,
      ended(CUT, HEARD),
      woke,
      readStatus(question()),
    );
    assert.deepEqual([it.owed, it.states], ['ask', ['open']]);
  });

  it('C056: is found by a subscription', () => {
    const it = story({ rules: { interactions: ALLOWED } }).happen(named, ended(CUT, HEARD), woke, read('working'));
    it.happen(ended(CLOSED, settledBy(question(), true)));
    assert.deepEqual([it.owed, it.states], ['ask', ['open']]);
  });

  it('Q3: of no task cannot be shown, and ends the turn', () => {
    const it = story({ rules: { interactions: ALLOWED } }).happen(paused(question()));
    assert.deepEqual([it.owed, it.states, it.notices], ['settled pause-unusable', [], ['pause-unusable']]);
  });

  it('waits for its person also when its task cannot be read', () => {
    const open = () =>
      story({ rules: { interactions: ALLOWED } }).happen(
        named,
        paused(question()),
        ended(CLOSED, settledBy(question(), false)),
      );
    assert.equal(open().owed, 'read');
    assert.equal(open().happen(readFailed(failed('unknown'))).owed, 'ask');
    assert.equal(open().happen(readFailed(failed('not-found'))).owed, 'ask');
    const refused = open().happen(readFailed(failed('credentials')));
    assert.deepEqual([refused.owed, refused.states], ['settled refused', ['canceled']]);
  });

  it('C097: is taken up as it was, in every step', () => {
    assert.equal(askedBy(question()).happen(takenUp).owed, 'ask');
    const streaming = story({ rules: { interactions: ALLOWED } }).happen(named, paused(question()), takenUp);
    assert.equal(streaming.owed, 'read');
    streaming.happen(readStatus(question()));
    assert.deepEqual([streaming.owed, streaming.states, streaming.requests.size], ['ask', ['open'], 1]);
  });

  it('is void when its task ends without it, or is stopped', () => {
    const stopped = askedBy(question()).happen(stopAsked);
    assert.deepEqual([stopped.owed, stopped.states], ['cancel', ['canceled']]);
    stopped.happen(cancelAnswered('canceled'));
    assert.deepEqual([stopped.owed, stopped.notices], ['settled canceled', ['task-canceled']]);
    assert.deepEqual(stopped.states, ['canceled']);

    const done = story({ rules: { interactions: ALLOWED } }).happen(named, paused(question()));
    done.happen(ended(CLOSED, settledAs('completed', true)));
    assert.deepEqual([done.owed, done.states], ['settled completed', ['canceled']]);
    for (const it of [stopped, done])
      assert.deepEqual(
        it.audit.map(({ decision }) => decision),
        ['canceled'],
      );
  });

  it('is void when its task is given up for another reason', () => {
    const it = story({ rules: { interactions: ALLOWED } }).happen(named, paused(question()));
    it.happen(ended(CLOSED, { ...HEARD, overLimit: true }));
    assert.deepEqual([it.owed, it.states], ['cancel', ['canceled']]);
    it.happen(answered([['eu']]));
    assert.equal(it.owed, 'cancel');
  });

  it('without an end is too many', () => {
    const it = story({ rules: { interactions: ALLOWED } }).happen(named);
    let asked = 0;
    while (it.owed !== 'cancel' && asked < 1_000) {
      asked += 1;
      it.happen(paused(question('Again?', `m${asked}`)));
    }
    assert.equal(asked, LIMITS.pausesPerTurn + 1);
    assert.deepEqual(it.notices, ['pause-unusable']);
    assert.ok(it.states.every((state) => state === 'canceled'));
  });
});

describe('a question', () => {
  it('M4: that the binding does not allow is told, and its task cancelled', () => {
    for (const status of [question(), choice()]) {
      const it = story().happen(named, paused(status));
      assert.deepEqual([it.owed, it.notices, it.states], ['cancel', ['question-not-allowed'], []]);
      it.happen(cancelAnswered('canceled'));
      assert.deepEqual([it.owed, it.notices], ['settled canceled', ['question-not-allowed']]);
    }
  });

  it('M4: that nobody answers in time is told, and its task cancelled', () => {
    const it = askedBy(question()).after(DAY - 1);
    assert.equal(it.owed, 'ask');
    it.after(1);
    assert.deepEqual([it.owed, it.states, it.notices], ['cancel', ['expired'], ['request-expired']]);
    assert.deepEqual(
      it.audit.map(({ decision, actor, messageId }) => [decision, actor.id, messageId]),
      [['expired', 'agent-kourier', undefined]],
    );
    it.happen(answered([['eu']]));
    assert.equal(it.owed, 'cancel', 'an answer that comes after it is none');
    it.happen(cancelAnswered('canceled'));
    assert.deepEqual([it.owed, it.states, it.notices], ['settled canceled', ['expired'], ['request-expired']]);
  });

  it('M4: whose cancel fails is told, and frees the thread', () => {
    const it = askedBy(question()).after(DAY);
    while (it.owed === 'cancel') it.happen(cancelAnswered(failed('unsupported')), readStatus(question()), woke);
    assert.deepEqual([it.owed, it.notices], ['settled cancel-failed', ['request-expired', 'cancel-failed']]);
    assert.deepEqual(it.states, ['expired']);
  });
});

describe('an approval', () => {
  it('is for the approvers of its time, and shows no secret', () => {
    const it = askedBy(approval('a', 'b'));
    const [request] = it.requests.values();
    assert.deepEqual(request?.approvers, ['u1']);
    assert.equal(request?.until, new Date(1_000_000 + HOUR).toISOString());
    assert.ok(!JSON.stringify(it.thread).includes('hunter2'));
    const anyone = askedBy(approval('a'), { rules: { interactions: { toolApprovals: { timeoutMs: 1 } } } });
    assert.equal([...anyone.requests.values()][0]?.approvers, undefined);
  });

  it('Q9: that nobody decides in time is denied by the courier, after its task was read', () => {
    const it = askedBy(approval('a', 'b')).after(HOUR);
    assert.deepEqual([it.owed, it.states, it.notices], ['check-answer', ['expired'], []]);
    assert.deepEqual(it.thread.turn?.answering, {
      text: 'rejected',
      payload: {
        type: 'tool_approval_response',
        approvals: ['a', 'b'].map((id) => ({
          id,
          approved: false,
          rejection_reason: 'denied by agent-kourier: no one decided in time',
        })),
      },
      messageId: 't1.request.1.answer.1',
      actor: { id: 'agent-kourier' },
    });
    const [record, ...others] = it.audit;
    assert.deepEqual(others, []);
    assert.deepEqual(
      [record?.decision, record?.actor.id, record?.messageId, record?.approvals.length, record?.tools.length],
      ['expired', 'agent-kourier', 't1.request.1.answer.1', 2, 2],
    );
    it.happen(stillPaused(approval('a', 'b')));
    assert.equal(it.owed, 'answer');
    it.happen(ended(CLOSED, { ...settledAs('completed', true), moved: true }));
    assert.deepEqual([it.owed, it.states, it.notices], ['settled completed', ['expired'], []]);
  });

  it('Q9: that the binding does not allow is denied by the courier, and never put to anyone', () => {
    const it = story().happen(named, paused(approval('a')));
    assert.deepEqual([it.owed, it.states, it.notices], ['check-answer', [], []]);
    assert.equal(it.thread.turn?.request?.unseen, true);
    assert.match(JSON.stringify(it.thread.turn?.answering), /this Binding does not allow tool approvals/);
    assert.deepEqual(
      it.audit.map(({ decision }) => decision),
      ['not-allowed'],
    );
    it.happen(stillPaused(approval('a')), ended(CLOSED, { ...settledAs('completed', true), moved: true }));
    assert.deepEqual([it.owed, it.states], ['settled completed', []]);
  });

  it('that comes again whenever it is denied ends at a limit, each denial under an id of its own', () => {
    const it = story().happen(named);
    const ids = new Set<string | undefined>();
    let denied = 0;
    while (it.owed !== 'cancel' && denied < 1_000) {
      it.happen(paused(approval('a')), stillPaused(approval('a')));
      denied += 1;
      ids.add(it.thread.turn?.answering?.messageId);
    }
    assert.equal(ids.size - 1, LIMITS.pausesPerTurn + 1, 'and none when it is cancelled');
    assert.deepEqual(it.notices, ['pause-unusable']);
  });

  it('whose denial the agent rejects, answers with a bare message, or never gets, is given up with its task', () => {
    const denied = () =>
      askedBy(approval('a'))
        .after(HOUR)
        .happen(stillPaused(approval('a')));
    const rejected = denied().happen(ended({ kind: 'unknown', code: -32603, why: '' }));
    assert.deepEqual([rejected.owed, rejected.states, rejected.notices], ['cancel', ['expired'], ['answer-rejected']]);
    const message = denied().happen(ended(CLOSED, { ...HEARD, answeredByMessage: true }), stillPaused(approval('a')));
    assert.deepEqual([message.owed, message.states, message.notices], ['cancel', ['expired'], ['request-failed']]);
    const lost = denied();
    while (lost.owed !== 'cancel') lost.happen(ended(failed('not-sent')), woke, stillPaused(approval('a')));
    assert.deepEqual([lost.states, lost.notices], [['expired'], ['unreachable']]);
  });

  it('that was denied too late is not told as if somebody had answered', () => {
    const it = askedBy(approval('a'))
      .after(HOUR)
      .happen(readStatus({ state: 'completed', codes: [] }));
    assert.deepEqual([it.owed, it.states, it.notices], ['settled completed', ['expired'], []]);
  });
});

it('who decides is kept with the request, for whoever comes late', () => {
  const it = askedBy(choice()).happen(answered([['eu']]));
  assert.deepEqual([...it.requests.values()][0]?.answer, { actor: ada, answers: [['eu']], approvals: [] });
});
