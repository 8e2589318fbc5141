import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertPrefixed, assertSent } from './stage/compare-sent.ts';
import { answered, notice, said, step } from './stage/conversation.ts';
import { messageOf } from './stage/sent-message.ts';
import { KAGENT, methods, type Role, Stage } from './stage/stage.ts';
import { ABSENT, ADK_0_3, type Item, KAGENT_0_9, played, replied, taskAfter, transcript } from './stage/transcript.ts';

const ADK: Role = { wire: '0.3', card: ADK_0_3 };
const WHO = { id: 'U0AAA111', name: 'Dana Cruz', email: 'dana@example.com' };

/** A request as the thread keeps it once Dana has decided it. */
const decided = (type: string, heading: string, rest: object, given: object): object => ({
  kind: 'request',
  type,
  state: 'answered',
  heading,
  questions: [],
  tools: [],
  ...rest,
  answer: { actor: WHO, answers: [], approvals: [], ...given },
});

/** How kagent and Google ADK pause, and what becomes of it in a thread. */
describe('transcripts: pauses', { skip: ABSENT, timeout: 600_000 }, () => {
  let stage: Stage;

  before(async () => {
    stage = await Stage.open({
      '10': KAGENT,
      '12': KAGENT,
      '13': KAGENT,
      '21': ADK,
      '21b': ADK,
      '23': { wire: '0.3', card: KAGENT_0_9, userId: 'admin@kagent.dev' },
      '24': KAGENT,
    });
  });
  after(() => stage.close());

  it('10: an approval, decided and resumed; the result that stood for the pause stays as it was shown', async () => {
    const items = transcript('10-kagent-1.0-approval-and-resume.1.0.json');
    const agent = stage.agent('10');
    agent.on('send', played(agent, items.slice(1, 6)), played(agent, items.slice(10)));
    agent.on('get', replied(agent, items[8]));
    const conversation = await stage.open('10', 'Delete the obsolete pod web-0.');
    const request = await conversation.openRequest();
    assert.equal(agent.seen('get').length, 0, 'the pause came with its whole task');
    const approvals = [{ id: 'adk-conf-10', approved: true }];
    assert.equal((await conversation.answer(request, { approvals })).status, 202);
    const args = { namespace: 'prod', name: 'web-0' };
    const stood = { error: 'error tool "delete_pod" requires confirmation, please approve or reject' };
    const tools = [{ id: 'adk-conf-10', callId: 'call_del', name: 'delete_pod', args }];
    assert.deepEqual(await conversation.settled(), [
      said('Delete the obsolete pod web-0.'),
      answered('I need to delete it.'),
      step('delete_pod', 'call_del', args, ['failed', stood]),
      // The hint is the instruction that ADK writes for a client (rule Q13).
      decided('tool-approval', 'The agent needs your approval', { tools }, { approvals }),
      step('delete_pod', 'call_del', args, ['done', { output: 'pod "web-0" deleted' }]),
      answered('\n\nDeleted `web-0`.'),
    ]);
    assert.deepEqual(methods(agent), ['send', 'get', 'send']);
    const [turn, answer] = agent.seen('send');
    assertSent(turn, items[0]);
    assertPrefixed(turn);
    assertSent(agent.seen('get')[0], items[7]);
    assertSent(answer, items[9]);
    assert.notEqual(messageOf(answer).messageId, messageOf(turn).messageId);
  });

  it('12: three questions at once, answered as their choices say; no hint, and ask_user is a step too', async () => {
    const items = transcript('12-kagent-1.0-ask-user.1.0.json');
    const agent = stage.agent('12');
    agent.on('send', played(agent, items.slice(0, 5)), played(agent, items.slice(6)));
    agent.on('get', replied(agent, items[4]));
    const conversation = await stage.open('12', 'Create a cluster for the demo.');
    const request = await conversation.openRequest();
    const answers = [['eu-west-1'], ['ingress', 'monitoring'], ['demo-1']];
    for (const wrong of [
      [['eu-west-1'], ['ingress']],
      [['mars'], ['ingress'], ['demo-1']],
      [['eu-west-1', 'us-east-1'], ['ingress'], ['x']],
    ]) {
      assert.equal((await conversation.answer(request, { answers: wrong })).status, 422);
    }
    assert.equal((await conversation.answer(request, { answers })).status, 202);
    const questions = [
      { question: 'Which region?', choices: ['eu-west-1', 'us-east-1'], multiple: false },
      { question: 'Which add-ons?', choices: ['ingress', 'monitoring', 'service mesh'], multiple: true },
      { question: 'Any name you want?', choices: [], multiple: false },
    ];
    const pending = [
      { question: 'Which region?', choices: ['eu-west-1', 'us-east-1'] },
      { question: 'Which add-ons?', choices: ['ingress', 'monitoring', 'service mesh'], multiple: true },
      { question: 'Any name you want?' },
    ];
    const result = JSON.stringify(questions.map(({ question }, at) => ({ question, answer: answers[at] })));
    assert.deepEqual(await conversation.settled(), [
      said('Create a cluster for the demo.'),
      step('ask_user', 'call_ask', { questions }, ['done', { status: 'pending', questions: pending }]),
      decided('questions', 'The agent needs your input', { questions }, { answers }),
      step('ask_user', 'call_ask', { questions }, ['done', { result }]),
      answered('Creating `demo-1` in eu-west-1 with ingress and monitoring.'),
    ]);
    assert.deepEqual(methods(agent), ['send', 'get', 'send']);
    assertSent(agent.seen('send')[1], items[5]);
  });

  it("13: a sub-agent's approval names the nested tools and is sent to the parent's task", async () => {
    const items = transcript('13-kagent-1.0-nested-approval.1.0.json');
    const agent = stage.agent('13');
    agent.on('send', played(agent, items.slice(0, 5)), played(agent, items.slice(6)));
    agent.on('get', replied(agent, items[4]));
    const conversation = await stage.open('13', 'Ask the k8s agent to delete web-0.');
    const request = await conversation.openRequest();
    const outer = [{ id: 'parent-conf-13', approved: true }];
    assert.equal((await conversation.answer(request, { approvals: outer })).status, 422);
    const approvals = [
      { id: 'child-conf-1', approved: true },
      { id: 'child-conf-2', approved: false },
    ];
    // Given in another order, they are sent in the request's.
    assert.equal((await conversation.answer(request, { approvals: approvals.toReversed() })).status, 202);
    const tools = [
      { id: 'child-conf-1', callId: 'child-call-1', name: 'delete_pod', args: { name: 'web-0' } },
      { id: 'child-conf-2', callId: 'child-call-2', name: 'delete_pvc', args: { name: 'web-0-data' } },
    ];
    const heading = "Remote agent 'k8s_agent' requires approval for tool(s): delete_pod, delete_pvc";
    const call = ['kagent__NS__k8s_agent', 'call_sub', { request: 'delete pod web-0 in prod' }] as const;
    const session = { subagent_session_id: '3c2336b3-1bcf-4238-a3a3-364c242c7c53' };
    const waiting = { status: 'pending', waiting_for: 'subagent_approval', subagent: 'k8s_agent', ...session };
    assert.deepEqual(await conversation.settled(), [
      said('Ask the k8s agent to delete web-0.'),
      step(...call, ['done', waiting]),
      decided('tool-approval', heading, { tools }, { approvals }),
      step(...call, ['done', { result: 'Deleted pod web-0. The PVC was kept.', ...session }]),
      answered('The pod is gone; the volume was kept.'),
    ]);
    assert.deepEqual(methods(agent), ['send', 'get', 'send']);
    assertSent(agent.seen('send')[1], items[5]);
  });

  /** A pause that cannot be used is told and cancelled; what the agent answers to the cancel is its task. */
  const canceled = (items: readonly Item[], state: string): Item => {
    const after = taskAfter(items);
    return { ...after, result: { ...after.result, status: { state } } };
  };

  it('21: a long-running call is one step, although its message comes again as the pause, which is cancelled', async () => {
    const items = transcript('21-adk-python-old-long-running-and-confirmation.0.3.json').slice(0, 6);
    const agent = stage.agent('21');
    agent.on('send', played(agent, items)).on('cancel', replied(agent, canceled(items, 'canceled')));
    const call = ['ask_for_approval', 'adk-lr-1', { amount: 400, purpose: 'travel' }] as const;
    assert.deepEqual(await (await stage.open('21', 'Reimburse 400 EUR.')).settled(), [
      said('Reimburse 400 EUR.'),
      step(...call, ['done', { status: 'pending', ticketId: 'reimb-7' }]),
      notice('pause-unusable'),
    ]);
    assert.deepEqual(methods(agent), ['send', 'cancel']);
  });

  it('21: a confirmation without the extension is a call like any other, and its pause is cancelled', async () => {
    const items = transcript('21-adk-python-old-long-running-and-confirmation.0.3.json').slice(6);
    const agent = stage.agent('21b');
    agent.on('send', played(agent, items)).on('cancel', replied(agent, canceled(items, 'canceled')));
    const confirmation = {
      hint: 'Please approve or reject the tool call reimburse() by responding with a FunctionResponse with an expected ToolConfirmation payload.',
      confirmed: false,
    };
    const original = { id: 'call_r', name: 'reimburse', args: { amount: 400 } };
    const args = { originalFunctionCall: original, toolConfirmation: confirmation };
    assert.deepEqual(await (await stage.open('21b', 'Reimburse 400 EUR.')).settled(), [
      said('Reimburse 400 EUR.'),
      step('adk_request_confirmation', 'adk-conf-21', args, ['failed']),
      notice('pause-unusable'),
    ]);
    assert.deepEqual(methods(agent), ['send', 'cancel']);
  });

  it('23: kagent 0.9 cannot cancel: the thread is told, nothing of its own approval is sent, and the next turn goes on', async () => {
    const items = transcript('23-kagent-0.9-hitl-native.0.3.json');
    const agent = stage.agent('23');
    const paused = items.slice(0, 5);
    const refused = replied(agent, items[14]);
    const stays = replied(agent, taskAfter(paused));
    agent.on('send', played(agent, paused)).on('cancel', refused, refused).on('get', stays, stays);
    const conversation = await stage.open('23', 'Delete web-0.');
    const args = { name: 'web-0' };
    const confirmation = { hint: "Tool 'k8s_delete_resource' requires approval before execution.", confirmed: false };
    const original = { id: 'call_d', name: 'k8s_delete_resource', args };
    const asked = { originalFunctionCall: original, toolConfirmation: confirmation };
    const first = [
      said('Delete web-0.'),
      step('k8s_delete_resource', 'call_d', args, ['failed']),
      step('adk_request_confirmation', 'adk-conf-23', asked, ['failed']),
      notice('pause-unusable'),
      notice('cancel-failed'),
    ];
    assert.deepEqual(await conversation.settled(), first);
    assert.deepEqual(methods(agent), ['send', 'cancel', 'get', 'cancel', 'get']);
    assertSent(agent.seen('cancel')[0], items[13]);
    // What kagent's own page would send is never sent; its task of the next turn is another one.
    const next = items.slice(6, 11).map((item) => JSON.parse(JSON.stringify(item).replaceAll('2b2fc3ba', 'aaaaaaaa')));
    agent.on('send', played(agent, next)).on('get', replied(agent, taskAfter(next)));
    await conversation.say('And now?');
    assert.deepEqual((await conversation.settled(2)).slice(first.length), [
      said('And now?'),
      answered('Deleted.'),
      // Its call is an earlier turn's and nowhere in this one, so the result waits for the end of the send (rule T6).
      step('k8s_delete_resource', 'call_d', undefined, ['done', { result: 'deleted' }]),
    ]);
    assert.equal(messageOf(agent.seen('send')[1]).taskId, undefined);
  });

  it('24: text runs that a tool closes, isError, and an approval whose words are in its text part alone', async () => {
    const items = transcript('24-kagent-1.0-claude-harness.1.0.json');
    const agent = stage.agent('24');
    agent.on('send', played(agent, items.slice(0, 8)), played(agent, items.slice(9)));
    agent.on('get', replied(agent, items[7]));
    const conversation = await stage.open('24', 'Fix the failing test.');
    const request = await conversation.openRequest();
    const approvals = [{ id: 'toolu_02', approved: true }];
    assert.equal((await conversation.answer(request, { approvals })).status, 202);
    const tools = [{ id: 'toolu_02', callId: 'toolu_02', name: 'Edit', args: { file_path: 'src/a.ts' } }];
    const bash = { command: 'npm test', description: 'run tests' };
    assert.deepEqual(await conversation.settled(), [
      said('Fix the failing test.'),
      answered('I will run the tests.'),
      step('Bash', 'toolu_01', bash, ['failed', { result: '1 failing', isError: true }]),
      answered('\n\nThe parser test fails; I will fix it.'),
      // Text parts beside the payload are not shown: the prompt is built from the payload.
      decided('tool-approval', 'The agent needs your approval', { tools }, { approvals }),
      answered('\n\nFixed. All tests pass.'),
    ]);
    assertSent(agent.seen('send')[1], items[8]);
  });
});
