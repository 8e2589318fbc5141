import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { memoryStore } from '../adapters/store/memory/memory-store.ts';
import type { TaskSnapshot } from '../core/reply/agent-event.ts';
import { call, message, snapshot, statusOf, text } from '../core/reply/fixtures/agent-says.ts';
import { HITL_URI } from '../core/request/read-pause.ts';
import type { EntryId } from '../core/thread/ids.ts';
import { approval, question } from '../core/turn/fixtures/asks.ts';
import { Stage } from './fixtures/stage.ts';

const HOUR = 3_600_000;
const ada = { id: 'u1', name: 'Ada', email: 'ada@example.org' };
const bob = { id: 'u2' };
const yes = (actor: typeof ada | typeof bob) => ({ actor, approvals: [{ id: 'a', approved: true }] });
const no = (actor: typeof ada | typeof bob) => ({ actor, approvals: [{ id: 'a', approved: false }] });
const asks: TaskSnapshot = { ...snapshot('input-required'), status: question() };
const gates: TaskSnapshot = { ...snapshot('input-required'), status: approval('a') };
const done = snapshot('completed', { artifacts: [['a', [text('Done.')]]] });

const stage = (approvers?: readonly string[]) =>
  new Stage(memoryStore(), {
    questions: { timeoutMs: HOUR },
    toolApprovals: { timeoutMs: HOUR, ...(approvers && { approvers }) },
  });

/** The agent takes what it was sent last, and is done. */
async function finish(on: Stage, count: number): Promise<void> {
  const { say, end } = await on.sent(count);
  say({ kind: 'task', task: done });
  end({ kind: 'closed' });
  await on.settled();
}

describe('a decision', () => {
  it('is durable when it is accepted, and goes to the paused task with who made it', async () => {
    const on = stage();
    const thread = await on.open();
    const request = await on.pausedBy(gates);
    assert.deepEqual(await on.courier.answer(request.id, yes(ada)), { kind: 'accepted' });
    const entry = (await on.entries(thread)).find(({ id }) => id === request.id);
    assert.ok(entry?.kind === 'request');
    assert.deepEqual([entry.state, entry.answer?.actor], ['answered', ada]);
    const { message: sent } = await on.sent(2);
    assert.deepEqual(sent, {
      messageId: `${request.id}.answer.1`,
      text: 'approved',
      taskId: 'task-1',
      contextId: 'ctx-1',
      extension: {
        uri: HITL_URI,
        payload: { type: 'tool_approval_response', approvals: [{ id: 'a', approved: true }] },
      },
      actor: { id: 'u1', platform: 'web' },
    });
    await finish(on, 2);
    const [record, ...others] = await on.store.audit({ limit: 10 });
    assert.deepEqual(others, []);
    assert.deepEqual([record?.decision, record?.actor, record?.messageId], ['approved', ada, `${request.id}.answer.1`]);
  });

  it('C100: of two people in the same moment is one; the other hears what was decided, and by whom', async () => {
    const on = stage();
    const thread = await on.open();
    const request = await on.pausedBy(gates);
    const taken = await Promise.all([
      on.courier.answer(request.id, no(bob)),
      on.courier.answer(request.id, yes(ada)),
      on.courier.answer(request.id, no(bob)),
    ]);
    const settled = { kind: 'settled', state: 'answered', by: bob, decision: 'denied' };
    assert.deepEqual(taken, [{ kind: 'accepted' }, settled, settled]);
    await finish(on, 2);
    assert.equal(on.agent.sent.length, 2);
    assert.equal(on.agent.sent[1]?.message.text, 'rejected');
    assert.equal((await on.store.audit({ limit: 10, thread })).length, 1);
  });

  it('that comes late hears what was decided and by whom, also when the turn is over and after a restart', async () => {
    const on = stage();
    await on.open();
    const request = await on.pausedBy(gates);
    await on.courier.answer(request.id, yes(ada));
    await finish(on, 2);
    const settled = { kind: 'settled', state: 'answered', by: ada, decision: 'approved' };
    assert.deepEqual(await on.courier.answer(request.id, no(bob)), settled);
    await on.courier.drain();
    await on.restart();
    assert.deepEqual(await on.courier.answer(request.id, no(bob)), settled);
  });

  it('that comes after the time is none', async () => {
    const on = stage();
    await on.open();
    const request = await on.pausedBy(gates);
    await on.passes(HOUR);
    const { message: denial } = await on.sent(2);
    assert.deepEqual([denial.text, denial.actor], ['rejected', { id: 'agent-kourier', platform: 'web' }]);
    assert.deepEqual(await on.courier.answer(request.id, yes(ada)), { kind: 'settled', state: 'expired' });
    await finish(on, 2);
  });

  it('that comes after the time is none, also when the courier wakes up late, as after a machine has slept', async () => {
    const on = stage();
    await on.open();
    const request = await on.pausedBy(gates);
    await on.until(() => on.clock.hasWaitIn(HOUR) || undefined);
    on.clock.nowMs += HOUR;
    assert.deepEqual(await on.courier.answer(request.id, yes(ada)), { kind: 'settled', state: 'expired' });
    const { message: denial } = await on.sent(2);
    assert.deepEqual([denial.text, denial.actor], ['rejected', { id: 'agent-kourier', platform: 'web' }]);
    await finish(on, 2);
  });

  it('C098: of somebody else is refused, and the request stays open', async () => {
    const on = stage(['u1']);
    await on.open();
    const request = await on.pausedBy(gates);
    assert.deepEqual(await on.courier.answer(request.id, yes(bob)), { kind: 'forbidden' });
    assert.deepEqual(await on.courier.answer(request.id, yes(ada)), { kind: 'accepted' });
    await finish(on, 2);
  });

  it('that another courier may have to make is not accepted here', async () => {
    const store = memoryStore();
    let isLost = false;
    const on = new Stage(
      new Proxy(store, {
        get: (target, name: keyof typeof store) =>
          name === 'commit' && isLost ? async () => ({ kind: 'lost' }) : target[name].bind(target),
      }),
      { toolApprovals: { timeoutMs: HOUR } },
    );
    const thread = await on.open();
    const request = await on.pausedBy(gates);
    isLost = true;
    const taken = await Promise.all([on.courier.answer(request.id, yes(ada)), on.courier.answer(request.id, no(bob))]);
    assert.deepEqual(taken, [{ kind: 'stopping' }, { kind: 'stopping' }]);
    assert.equal((await on.entries(thread)).find(({ id }) => id === request.id)?.kind, 'request');
    assert.equal(on.agent.sent.length, 1);
    assert.deepEqual(await store.audit({ limit: 10 }), []);
  });

  it('Q11: that is not complete is refused, and one of nothing is missing', async () => {
    const on = stage();
    await on.open();
    const request = await on.pausedBy(gates);
    assert.equal((await on.courier.answer(request.id, { actor: ada, approvals: [] })).kind, 'invalid');
    assert.deepEqual(await on.courier.answer('nothing' as EntryId, yes(ada)), { kind: 'missing' });
    assert.equal(on.agent.sent.length, 1);
    await on.courier.drain();
    assert.deepEqual(await on.courier.answer(request.id, yes(ada)), { kind: 'stopping' });
  });

  it('C097: by the first click after a restart is taken', async () => {
    const on = stage();
    await on.open();
    const request = await on.pausedBy(gates);
    await on.courier.drain();
    await on.restart();
    assert.deepEqual(await on.courier.answer(request.id, yes(ada)), { kind: 'accepted' });
    assert.equal((await on.sent(2)).message.text, 'approved');
    await finish(on, 2);
    assert.equal(on.agent.sent.length, 2);
  });

  it('C181, C182: in mid-stream outlives a restart: no cancel, no notice, and it is not sent again', async () => {
    const on = stage();
    const thread = await on.open();
    const request = await on.pausedBy(gates);
    await on.courier.answer(request.id, yes(ada));
    const { say } = await on.sent(2);
    const working = snapshot('working', { artifacts: [['a', [text('Half')]]] });
    say({ kind: 'task', task: working });
    await on.courier.drain();
    on.agent.task = { kind: 'task', task: working };
    await on.restart();
    const { say: go, end } = await on.until(() => on.agent.subscribed[0]);
    go({ kind: 'task', task: done });
    end({ kind: 'closed' });
    await on.settled();
    assert.deepEqual([on.agent.sent.length, on.agent.cancels], [2, 0]);
    const shown = await on.entries(thread);
    assert.ok(shown.every(({ kind }) => kind !== 'notice'));
    assert.equal(shown.find((entry) => entry.kind === 'request')?.state, 'answered');
  });
});

describe('what stands in the thread of a question', () => {
  it('C049: text and steps that GetTask brings stand before it, and nothing streams while it waits', async () => {
    const on = stage();
    const thread = await on.open();
    const { say, end } = await on.sent(1);
    say({
      kind: 'status',
      taskId: gates.id,
      contextId: gates.contextId,
      status: statusOf('working'),
      final: false,
    } as never);
    on.agent.task = {
      kind: 'task',
      task: { ...asks, artifacts: [{ artifactId: 'a', parts: [text('Well.'), call('c1')] }] },
    };
    end({ kind: 'cut', why: 'lost' });
    await on.passes(1_000);
    await on.request('open');
    const shown = (await on.entries(thread)).slice(1);
    assert.deepEqual(
      shown.map(({ kind }) => kind),
      ['answer', 'step', 'request'],
    );
    assert.ok(shown.every((entry) => entry.kind !== 'answer' || !entry.streaming));
  });

  it('the answer after it stands behind it', async () => {
    const on = stage();
    const thread = await on.open();
    const request = await on.pausedBy({ ...asks, artifacts: [{ artifactId: 'a', parts: [text('Well.')] }] });
    await on.courier.answer(request.id, { actor: ada, answers: [['eu']] });
    const { say, end, message: sent } = await on.sent(2);
    assert.equal(sent.text, '[Web: Ada (u1) <ada@example.org>]\neu');
    say({ kind: 'task', task: snapshot('completed', { artifacts: [['a', [text('Well. Done.')]]] }) });
    end({ kind: 'closed' });
    await on.settled();
    const shown = (await on.entries(thread)).slice(1);
    assert.deepEqual(
      shown.map((entry) => (entry.kind === 'answer' ? entry.text : entry.kind)),
      ['Well.', 'request', ' Done.'],
    );
  });
});

describe('decision 14: a message that is typed while a question is open', () => {
  it('is its answer, and no turn of its own', async () => {
    const on = stage();
    const thread = await on.open();
    await on.pausedBy(asks);
    on.clock.pass(1);
    await on.courier.say(thread, { text: 'eu', actor: ada, mention: true });
    const { message: sent } = await on.sent(2);
    assert.deepEqual([sent.text, sent.taskId], ['[Web: Ada (u1) <ada@example.org>]\neu', 'task-1']);
    await finish(on, 2);
    assert.deepEqual(await on.store.pending(thread), []);
    assert.equal((await on.entries(thread)).find((entry) => entry.kind === 'request')?.state, 'answered');
  });

  it('is no answer when it was written before the question, or by a trigger, or beside the agent', async () => {
    const on = stage();
    const thread = await on.open();
    await on.sent(1);
    await on.courier.say(thread, { text: 'and then?', actor: ada, mention: true });
    on.clock.pass(1);
    await on.pausedBy(asks);
    on.clock.pass(1);
    await on.courier.say(thread, { text: 'an alert', mention: true });
    await on.courier.say(thread, { text: 'beside', actor: bob, mention: false });
    await on.courier.say(thread, { text: 'eu', actor: bob, mention: true });
    assert.equal((await on.sent(2)).message.text, '[Web: (u2)]\neu');
    const pending = await on.store.pending(thread);
    assert.deepEqual(
      pending.map(({ text: words }) => words),
      ['and then?', 'an alert', 'beside'],
    );
    await finish(on, 2);
    assert.match((await on.sent(3)).message.text, /and then\?$/);
  });

  it('C106: is no decision of an approval: whoever wrote it is pointed to the prompt, and it is sent afterwards', async () => {
    const on = stage();
    const thread = await on.open();
    const request = await on.pausedBy(gates);
    on.clock.pass(1);
    await on.courier.say(thread, { text: 'no wait, yes', actor: ada, mention: true });
    const notice = await on.until(() => on.notices().find((code) => code === 'answer-the-prompt'));
    assert.equal(notice, 'answer-the-prompt');
    assert.deepEqual(await on.courier.answer(request.id, no(ada)), { kind: 'accepted' });
    await finish(on, 2);
    assert.match((await on.sent(3)).message.text, /no wait, yes$/);
  });
});

it('R11: a bare message to an answer leaves the question open, and is never the answer of the turn', async () => {
  const on = stage();
  const thread = await on.open();
  const request = await on.pausedBy(asks);
  // Another process knows the task from the store alone, and cannot read it before it answers.
  await on.courier.drain();
  on.agent.task = { kind: 'unknown', why: 'down' };
  await on.restart();
  await on.courier.answer(request.id, { actor: ada, answers: [['eu']] });
  const { say, end } = await on.sent(2);
  on.agent.task = { kind: 'task', task: asks };
  say({ kind: 'message', message: message([text('What do you mean?')], 'm7') });
  end({ kind: 'closed' });
  await on.until(() => on.notices().find((code) => code === 'request-failed'));
  assert.deepEqual(await on.courier.answer(request.id, { actor: bob, answers: [['us']] }), { kind: 'accepted' });
  await finish(on, 3);
  const texts = (await on.entries(thread)).flatMap((entry) => (entry.kind === 'answer' ? [entry.text] : []));
  assert.deepEqual(texts, ['Done.']);
});
