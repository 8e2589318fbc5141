import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { json, loseConnection, type Reaction, status } from '../contract/http-agent.ts';
import { answered, notice, said, step } from './stage/conversation.ts';
import { messageOf } from './stage/sent-message.ts';
import { KAGENT, methods, type Role, Stage } from './stage/stage.ts';
import {
  ABSENT,
  ADK_0_3,
  cards,
  type Item,
  KAGENT_0_9,
  KAGENT_1_0,
  played,
  replied,
  taskAfter,
  taskFor,
  transcript,
} from './stage/transcript.ts';

const FAILED: Readonly<Record<string, Role>> = {
  'model-error': KAGENT,
  'no-message': KAGENT,
  'kagent-0-9': { wire: '0.3', card: KAGENT_0_9 },
  'adk-crash': { wire: '0.3', card: ADK_0_3 },
};
const ERRORS = [
  'busy',
  'stop',
  'forbidden',
  'refused',
  'anonymous',
  'stale',
  'rejected',
  'reused',
  'ended',
  'gone',
  'unreached',
  'broken',
];
const REFUSALS = ['method', 'http-401', 'card-401', 'http-409', 'http-404'];

/** How tasks fail and what errors look like on kagent and ADK. The errors of transcript 18 are no stream: each is played in a turn of its own. */
describe('transcripts: failures', { skip: ABSENT, timeout: 600_000 }, () => {
  let stage: Stage;
  const failed = transcript('17-failed-tasks.mixed.json');
  const errors = transcript('18-kagent-1.0-errors.1.0.json');
  const { 3: completed } = transcript('26-kagent-1.0-first-turn-retry.1.0.json');
  const approval = transcript('10-kagent-1.0-approval-and-resume.1.0.json');

  before(async () => {
    const names = [...ERRORS, ...REFUSALS].map((name) => [name, KAGENT] as const);
    stage = await Stage.open({ ...FAILED, ...Object.fromEntries(names) });
  });
  after(() => stage.close());

  /** A turn that ends well, whatever came before it. */
  const good = (name: string): Reaction => played(stage.agent(name), taskFor(name, completed));
  const READY = answered('The report is ready.');

  /** One of the errors, alone on an event stream with HTTP 200, as kagent sends it to a send or a subscription. */
  const error = (name: string, at: number): Reaction => played(stage.agent(name), errors.slice(at, at + 1));

  for (const [name, items, category, called] of [
    ['model-error', failed.slice(0, 3), 'rate-limit', ['send']],
    ['no-message', failed.slice(3, 4), undefined, ['send']],
    ['kagent-0-9', failed.slice(4, 7), undefined, ['send', 'get']],
    ['adk-crash', failed.slice(7), undefined, ['send', 'get']],
  ] as const) {
    it(`17, ${name}: a failed task is one notice, with a category where there is one, and none of its words`, async () => {
      const agent = stage.agent(name);
      agent.on('send', played(agent, items)).on('get', replied(agent, taskAfter(items)));
      const conversation = await stage.open(name, 'Summarise the logs.');
      assert.deepEqual(await conversation.settled(), [said('Summarise the logs.'), notice('task-failed', category)]);
      const text = await conversation.noticeText('task-failed');
      assert.match(text, /^The agent's task failed\./);
      assert.doesNotMatch(text, /llm|safety|error_id|429/i);
      assert.deepEqual(methods(agent), called);
    });
  }

  it('18: busy, in all four ways: the same message again until it is taken, and the thread is told once', async () => {
    const agent = stage.agent('busy');
    let told = false;
    const untilTold: Reaction = (...call) => (told ? good('busy') : error('busy', 3))(...call);
    const ways = [0, 1, 2, 3].map((at) => error('busy', at));
    agent.on('send', ...ways, ...Array<Reaction>(1_000).fill(untilTold));
    const conversation = await stage.open('busy', 'Go.');
    await conversation.until(({ entries }) => entries.some(({ kind }) => kind === 'notice'));
    told = true;
    assert.deepEqual(await conversation.settled(), [said('Go.'), notice('busy'), READY]);
    const ids = agent.seen('send').map((call) => messageOf(call).messageId);
    assert.ok(ids.length >= 5, `${ids.length} sends`);
    assert.equal(new Set(ids).size, 1);
  });

  it('18: busy for ever, because the agent has no revision: the message can be taken back', async () => {
    const agent = stage.agent('stop').on('send', ...Array(200).fill(error('stop', 3)));
    const conversation = await stage.open('stop', 'Go.');
    await conversation.until(({ entries }) => entries.some(({ kind }) => kind === 'notice'));
    await conversation.stop();
    assert.deepEqual(await conversation.settled(), [said('Go.'), notice('busy'), notice('task-canceled')]);
    assert.equal(agent.seen('cancel').length, 0);
  });

  for (const [name, at, code] of [
    ['forbidden', 4, 'identity-refused'],
    ['anonymous', 5, 'credentials-rejected'],
    ['reused', 7, 'request-failed'],
    ['method', 12, 'request-failed'],
  ] as const) {
    it(`18: ${errors[at]?.error?.['code']} to a send is ${code}, and nothing is sent again`, async () => {
      const agent = stage
        .agent(name)
        .on('send', name === 'method' ? replied(stage.agent(name), errors[at]) : error(name, at));
      assert.deepEqual(await (await stage.open(name, 'Go.')).settled(), [said('Go.'), notice(code)]);
      assert.deepEqual(methods(agent), ['send']);
    });
  }

  it('18: an identity that is refused in a context is told, and the context stays: kagent does not say which it was', async () => {
    const agent = stage.agent('refused').on('send', error('refused', 4), good('refused'));
    const conversation = await stage.open('refused', 'Go.');
    await conversation.settled();
    await conversation.say('Again.');
    assert.deepEqual((await conversation.settled(2)).slice(2), [said('Again.'), READY]);
    assert.equal(agent.seen('send').length, 2);
  });

  /** A thread that waits for the approval of transcript 10. */
  const asking = async (name: string) => {
    const agent = stage.agent(name);
    agent.on('send', played(agent, approval.slice(1, 6)));
    const conversation = await stage.open(name, 'Delete the obsolete pod web-0.');
    return { agent, conversation, request: await conversation.openRequest() };
  };
  const approvals = [{ id: 'adk-conf-10', approved: true }];
  const waiting: Item | undefined = approval[8];

  it('18: an answer that kagent does not take with -32600: the task still waits, so the request is open again', async () => {
    const { agent, conversation, request } = await asking('stale');
    const reads = replied(agent, waiting);
    agent.on('get', reads, reads, reads).on('send', error('stale', 6), played(agent, approval.slice(10)));
    assert.equal((await conversation.answer(request, { approvals })).status, 202);
    await conversation.until(({ entries }) => entries.some(({ kind }) => kind === 'notice'));
    const again = await conversation.openRequest();
    assert.equal(again.id, request.id);
    assert.equal((await conversation.answer(again, { approvals })).status, 202);
    const thread = await conversation.settled();
    assert.deepEqual(
      thread.filter((entry) => 'code' in entry),
      [notice('request-failed')],
    );
    assert.deepEqual(thread.at(-1), answered('\n\nDeleted `web-0`.'));
    // The one that was refused was read after; each answer has an id of its own (rule S2).
    assert.deepEqual(methods(agent), ['send', 'get', 'send', 'get', 'get', 'send']);
    const [, first, second] = agent.seen('send');
    assert.notEqual(messageOf(second).messageId, messageOf(first).messageId);
  });

  it('18: an answer to a task that has ended meanwhile, -32602: its end is shown, and that the answer came too late', async () => {
    const { agent, conversation, request } = await asking('ended');
    agent.on('get', replied(agent, waiting), replied(agent, approval.at(-1))).on('send', error('ended', 8));
    assert.equal((await conversation.answer(request, { approvals })).status, 202);
    const thread = (await conversation.settled()).slice(3);
    const args = { namespace: 'prod', name: 'web-0' };
    assert.deepEqual((thread[0] as { state?: string }).state, 'failed', 'the answer never counted');
    assert.deepEqual(thread.slice(1), [
      step('delete_pod', 'call_del', args, ['done', { output: 'pod "web-0" deleted' }]),
      answered('\n\nDeleted `web-0`.'),
      notice('request-failed'),
    ]);
    assert.deepEqual(methods(agent), ['send', 'get', 'send', 'get']);
  });

  it('18: -32603 to an answer: the task is cancelled and the thread told, whatever kagent means by it', async () => {
    const { agent, conversation, request } = await asking('rejected');
    const canceled = { ...taskAfter(approval.slice(1, 6)).result, status: { state: 'TASK_STATE_CANCELED' } };
    agent.on('get', replied(agent, waiting)).on('send', error('rejected', 10));
    agent.on('cancel', replied(agent, { note: '', result: canceled }));
    assert.equal((await conversation.answer(request, { approvals })).status, 202);
    const [decided, ...rest] = (await conversation.settled()).slice(3);
    assert.deepEqual([(decided as { state?: string }).state, rest], ['failed', [notice('answer-rejected')]]);
    assert.deepEqual(methods(agent), ['send', 'get', 'send', 'cancel']);
  });

  it('18: -32001 while the task is followed: the session is gone, and the next turn starts anew', async () => {
    const agent = stage.agent('gone');
    const begun = transcript('20-kagent-1.0-long-running-dropped-stream.1.0.json').slice(1, 3);
    agent.on('send', played(agent, begun, 'lose'), good('gone')).on('get', replied(agent, errors[9]));
    const conversation = await stage.open('gone', 'Run the full backup.');
    assert.deepEqual(await conversation.settled(), [said('Run the full backup.'), notice('session-gone')]);
    await conversation.say('Again.');
    assert.deepEqual((await conversation.settled(2)).slice(2), [said('Again.'), READY]);
    assert.equal(messageOf(agent.seen('send')[1]).contextId, undefined);
  });

  it('18: -32603 to a first turn: nobody knows, so it is sent again as it was', async () => {
    const agent = stage.agent('unreached').on('send', error('unreached', 10), good('unreached'));
    assert.deepEqual(await (await stage.open('unreached', 'Go.')).settled(), [said('Go.'), READY]);
    const [first, second] = agent.seen('send');
    assert.deepEqual(second?.body.params, first?.body.params);
  });

  it('18: -32603 in the middle of a stream cuts it: the task is followed and not sent again', async () => {
    const agent = stage.agent('broken');
    const begun = transcript('20-kagent-1.0-long-running-dropped-stream.1.0.json');
    agent
      .on('send', played(agent, [...begun.slice(1, 4), ...errors.slice(11, 12)]))
      .on('get', replied(agent, begun[11]));
    const thread = await (await stage.open('broken', 'Run the full backup.')).settled();
    assert.deepEqual(thread.at(-1), answered('The backup finished: 214 GiB.'));
    assert.equal(thread.length, 3);
    assert.deepEqual(methods(agent), ['send', 'get']);
  });

  it('18: HTTP 401, to the card and to a call: the credentials are rejected, and nothing is tried again', async () => {
    const refused = status(401, {}, 'Unauthorized');
    const card = stage.agent('card-401').forget('card').on('card', refused);
    const call = stage.agent('http-401').on('send', refused);
    for (const [name, agent, calls] of [
      ['card-401', card, 1],
      ['http-401', call, 2],
    ] as const) {
      assert.deepEqual(await (await stage.open(name, 'Go.')).settled(), [said('Go.'), notice('credentials-rejected')]);
      assert.equal(agent.calls.length, calls);
    }
    const metrics = await stage.product.text('/metrics');
    assert.match(metrics, /^agentkourier_credential_rejections_total(\{.*\})? [3-9]$/m);
  });

  it('18: HTTP 409 on the card, HTTP 404 on a call: not sent, so it is tried again', async () => {
    const { 'http-409': card, 'http-404': call } = Object.fromEntries(
      REFUSALS.map((name) => [name, stage.agent(name)]),
    );
    assert.ok(card && call);
    const served = json(cards()[KAGENT_1_0]?.card);
    card
      .forget('card')
      .on('card', status(409, {}, 'Conflict'), loseConnection, served)
      .on('send', good('http-409'));
    call.on('send', status(404, {}, '404 page not found'), good('http-404'));
    for (const name of ['http-409', 'http-404']) {
      assert.deepEqual(await (await stage.open(name, 'Go.')).settled(), [said('Go.'), READY]);
    }
    assert.deepEqual(methods(card), ['send']);
    assert.equal(card.seen('card').length, 3);
    assert.deepEqual(methods(call), ['send', 'send']);
  });
});
