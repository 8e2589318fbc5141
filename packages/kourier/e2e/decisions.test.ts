import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { json, type Reaction, status } from '../contract/http-agent.ts';
import { answered, DANA, notice, ofKind } from './stage/conversation.ts';
import { approval, asksOnce, completes, HITL_CARD } from './stage/hitl-agent.ts';
import { messageOf } from './stage/sent-message.ts';
import { methods, Stage } from './stage/stage.ts';

const EVE = { id: 'u9', name: 'Eve' };
const TOOL = { id: 't1', name: 'delete_pod', args: { name: 'web-0' } };
const YES = [{ id: 't1', approved: true }];
const NO = [{ id: 't1', approved: false }];
const APPROVERS = { toolApprovals: { approvers: [DANA.id], timeout: '1h' } };
const NAMES = ['c097', 'c098', 'c100', 'c101', 'c106'] as const;

describe('field cases: who decides, and once', { timeout: 600_000 }, () => {
  let stage: Stage;

  before(async () => {
    stage = await Stage.open({
      ...Object.fromEntries(NAMES.map((name) => [name, {}])),
      c098: { interactions: APPROVERS },
    });
    for (const name of NAMES) stage.agent(name).forget('card').on('card', json(HITL_CARD), json(HITL_CARD));
  });
  after(() => stage.close());

  it('C098 somebody who is no approver is refused, the request stays open, and an approver decides it', async () => {
    const agent = asksOnce(stage.agent('c098'), approval(TOOL)).on('send', completes);
    const conversation = await stage.open('c098', 'Delete it.');
    const request = await conversation.openRequest();
    const refused = await conversation.answer(request, { actor: EVE, approvals: YES });
    assert.deepEqual([refused.status, refused.body['code']], [403, 'not-an-approver']);
    assert.equal((await conversation.openRequest()).id, request.id);
    assert.deepEqual(methods(agent), ['send']);
    assert.equal((await conversation.answer(request, { approvals: YES })).status, 202);
    await conversation.settled();
    const [record, attempt, ...others] = await conversation.audit();
    assert.deepEqual([record?.['decision'], record?.['actor'], others.length], ['approved', DANA, 0]);
    assert.deepEqual(record?.['tools'], [TOOL]);
    assert.deepEqual([attempt?.['decision'], attempt?.['actor'], attempt?.['approvals']], ['refused', EVE, []]);
  });

  it('C100 two people click in the same moment: one decides, the other is told who did, and the agent gets one answer', async () => {
    const agent = asksOnce(stage.agent('c100'), approval(TOOL)).on('send', completes, completes);
    const conversation = await stage.open('c100', 'Delete it.');
    const request = await conversation.openRequest();
    const clicks = await Promise.all([
      conversation.answer(request, { actor: DANA, approvals: YES }),
      conversation.answer(request, { actor: EVE, approvals: NO }),
      conversation.answer(request, { actor: DANA, approvals: YES }),
    ]);
    assert.deepEqual(clicks.map(({ status: code }) => code).toSorted(), [202, 409, 409]);
    const thread = await conversation.settled();
    const [decided] = ofKind(thread, 'request') as readonly { answer: { actor: { id: string; name: string } } }[];
    const who = decided?.answer.actor;
    for (const late of clicks.filter(({ status: code }) => code === 409)) {
      assert.match(String(late.body['detail']), new RegExp(`${who?.name} \\(${who?.id}\\)`));
    }
    assert.equal(agent.seen('send').length, 2);
    assert.deepEqual(messageOf(agent.seen('send')[1]).metadata?.['agentkourier.dev/actor'], {
      id: who?.id,
      platform: 'web',
    });
    const audit = await conversation.audit();
    assert.deepEqual(
      audit.map(({ actor }) => (actor as { id: string }).id),
      [who?.id],
    );
  });

  it('C101 an answer that meets a 503 is owed: the same message again, until the agent has it', async () => {
    const agent = asksOnce(stage.agent('c101'), approval(TOOL)).on('send', status(503), status(503), completes);
    const conversation = await stage.open('c101', 'Delete it.');
    assert.equal((await conversation.answer(await conversation.openRequest(), { approvals: YES })).status, 202);
    const thread = await conversation.settled();
    assert.deepEqual(
      ofKind(thread, 'request').map(({ state }) => state),
      ['answered'],
    );
    assert.deepEqual(thread.at(-1), answered('Done.'));
    assert.deepEqual(ofKind(thread, 'notice'), []);
    const ids = agent
      .seen('send')
      .slice(1)
      .map((send) => messageOf(send).messageId);
    assert.deepEqual([ids.length, new Set(ids).size], [3, 1]);
    // Nobody knows what a 503 did, so the task is asked before each.
    assert.deepEqual(methods(agent), ['send', 'get', 'send', 'get', 'send', 'get', 'send']);
  });

  it('C106 words typed while an approval is open decide nothing: they wait, and who wrote them is pointed to the prompt', async () => {
    const agent = asksOnce(stage.agent('c106'), approval(TOOL)).on('send', completes, completes);
    const conversation = await stage.open('c106', 'Delete it.');
    const request = await conversation.openRequest();
    await conversation.say('no wait, yes');
    await conversation.until(({ entries }) => entries.some(({ kind }) => kind === 'notice'));
    assert.equal((await conversation.openRequest()).id, request.id);
    assert.deepEqual(methods(agent), ['send']);
    assert.equal((await conversation.answer(request, { approvals: NO })).status, 202);
    const thread = await conversation.settled(2);
    assert.deepEqual(ofKind(thread, 'notice'), [notice('answer-the-prompt')]);
    const [, answer, typed] = agent.seen('send').map(messageOf);
    assert.equal(answer?.parts[0]?.text, 'rejected');
    assert.match(typed?.parts[0]?.text ?? '', /\nno wait, yes$/);
    assert.equal(typed?.taskId, undefined);
  });

  it('C097 the first click after a restart counts, and the second is told who decided', async () => {
    const agent = asksOnce(stage.agent('c097'), approval(TOOL));
    const held = Promise.withResolvers<Reaction>();
    agent.on('send', (...seen) => void held.promise.then((reaction) => reaction(...seen)));
    const conversation = await stage.open('c097', 'Delete it.');
    const request = await conversation.openRequest();
    await stage.product.kill();
    await stage.product.start();
    assert.equal((await conversation.answer(request, { approvals: YES })).status, 202);
    const second = await conversation.answer(request, { actor: EVE, approvals: NO });
    assert.deepEqual([second.status, second.body['code']], [409, 'already-settled']);
    assert.match(String(second.body['detail']), /approved by Dana Cruz \(U0AAA111\)/);
    held.resolve(completes);
    assert.deepEqual((await conversation.settled()).at(-1), answered('Done.'));
    const third = await conversation.answer(request, { actor: EVE, approvals: NO });
    assert.match(String(third.body['detail']), /approved by Dana Cruz \(U0AAA111\)/);
    assert.equal(agent.seen('send').length, 2);
    const audit = await conversation.audit();
    assert.deepEqual(
      audit.map(({ decision }) => decision),
      ['approved'],
    );
    assert.equal(audit[0]?.['messageId'], messageOf(agent.seen('send')[1]).messageId);
  });
});
