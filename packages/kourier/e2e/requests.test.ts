import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { json } from '../contract/http-agent.ts';
import { answered, notice, ofKind, said, step } from './stage/conversation.ts';
import {
  approval,
  artifact,
  broken,
  call,
  completes,
  HITL_CARD,
  type Message,
  result,
  stored,
  streamed,
  text,
  update,
  whole,
} from './stage/hitl-agent.ts';
import { messageOf } from './stage/sent-message.ts';
import { methods, type Role, Stage } from './stage/stage.ts';

const TOOL = { id: 't1', name: 'delete_pod', args: { name: 'web-0' } };
const YES = [{ id: 't1', approved: true }];
const NAMES = ['c089', 'c092', 'c094', 'c094-nested', 'c103', 'c107', 'spellings'] as const;

describe('field cases: what agents ask', { timeout: 600_000 }, () => {
  let stage: Stage;

  before(async () => {
    stage = await Stage.open(
      Object.fromEntries(NAMES.map((name): [string, Role] => [name, name === 'c094' ? { dialect: 'kagent-v1' } : {}])),
    );
    for (const name of NAMES) stage.agent(name).forget('card').on('card', json(HITL_CARD), json(HITL_CARD));
  });
  after(() => stage.close());

  it('C089 a call that comes again with the pause, and text that comes again as the artifact: one step, one question, text once', async () => {
    const asked = call('c1', 'ask_user', { question: 'Which?' });
    const question = { question: 'Which region?', choices: ['eu', 'us'] };
    const payload = { type: 'ask_user_request', id: 'q1', questions: [question] };
    const pause: Message = { messageId: 'm2', parts: [text('Which region?'), asked], payload };
    const narration: Message = { messageId: 'm1', parts: [text('I will ask.'), asked] };
    const written = artifact('answer', text('I will ask.'));
    const task = whole('INPUT_REQUIRED', { message: pause, artifacts: [written], history: [narration] });
    const agent = stage.agent('c089');
    agent.on('send', streamed(update('WORKING', narration), written, update('INPUT_REQUIRED', pause), task), completes);
    agent.on('get', stored('INPUT_REQUIRED', { message: pause, artifacts: [written], history: [narration] }));
    const conversation = await stage.open('c089', 'Set it up.');
    const request = await conversation.openRequest();
    assert.deepEqual(request.questions, [{ ...question, multiple: false }]);
    const entries = await conversation.entries();
    assert.equal(ofKind(entries, 'step').length, 1);
    assert.equal(ofKind(entries, 'request').length, 1);
    assert.deepEqual(
      ofKind(entries, 'answer').map(({ text: words }) => words),
      ['I will ask.'],
    );
    assert.equal((await conversation.answer(request, { answers: [['eu']] })).status, 202);
    assert.equal(ofKind(await conversation.settled(), 'step').length, 1);
  });

  it('C092 a store that has the current status message in its history too: one part', async () => {
    const working: Message = { messageId: 'm1', parts: [call('c1', 'look', { at: 'pods' })] };
    const agent = stage.agent('c092');
    agent.on('send', broken(update('WORKING', working)));
    agent.on('get', stored('WORKING', { message: working, history: [working] }));
    const done: Message = { messageId: 'm2', parts: [result('c1', 'look', { found: 2 })] };
    const written = { artifacts: [artifact('answer', text('Two.'))], history: [working, done] };
    agent.on('subscribe', streamed(update('WORKING', done), whole('COMPLETED', written)));
    assert.deepEqual(await (await stage.open('c092', 'How many?')).settled(), [
      said('How many?'),
      step('look', 'c1', { at: 'pods' }, ['done', { found: 2 }]),
      answered('Two.'),
    ]);
  });

  it('C094 a pause without its payload on kagent-v1 is told and cancelled, and the thread goes on', async () => {
    const pause: Message = { messageId: 'm1', parts: [text('Remote agent requires approval.')] };
    const agent = stage.agent('c094');
    const queued = Promise.withResolvers<void>();
    agent.on('send', streamed(whole('INPUT_REQUIRED', { message: pause })), completes);
    agent.on('cancel', (...seen) => void queued.promise.then(() => stored('CANCELED')(...seen)));
    const conversation = await stage.open('c094', 'Delete it.');
    await conversation.until(({ entries }) => entries.some(({ kind }) => kind === 'notice'));
    await conversation.say('And now?');
    queued.resolve();
    assert.deepEqual(await conversation.settled(2), [
      said('Delete it.'),
      notice('pause-unusable'),
      said('And now?'),
      answered('Done.'),
    ]);
    assert.deepEqual(methods(agent), ['send', 'cancel', 'send']);
    assert.equal(messageOf(agent.seen('send')[1]).taskId, undefined);
  });

  it('C094 an outer task that completes with empty text, while its sub-agent waits: the thread is told that there is no answer', async () => {
    const agent = stage.agent('c094-nested');
    agent.on('send', streamed(whole('COMPLETED', { artifacts: [artifact('answer', text(''))] })), completes);
    const conversation = await stage.open('c094-nested', 'Delete it.');
    assert.deepEqual(await conversation.settled(), [said('Delete it.'), notice('no-output')]);
    await conversation.say('And now?');
    assert.deepEqual((await conversation.settled(2)).slice(2), [said('And now?'), answered('Done.')]);
  });

  it('C103 what an approver would not see makes the pause unusable: told, cancelled, and never half a prompt', async () => {
    const hidden = ['rm \u202E fr-', 'ls\u200B', 'ls\u{E0100}', `ls${' '.repeat(5_000)}; rm -rf /`, 'ls\u001B[8m'];
    const agent = stage.agent('c103');
    for (const command of hidden) {
      const pause = approval({ id: 't1', name: 'run', args: { command } });
      agent.on('send', streamed(whole('INPUT_REQUIRED', { message: pause }))).on('cancel', stored('CANCELED'));
    }
    for (const [at] of hidden.entries()) {
      const conversation = await stage.open('c103', 'Run it.');
      assert.deepEqual(await conversation.settled(), [said('Run it.'), notice('pause-unusable')], `hidden ${at}`);
      assert.deepEqual(await conversation.audit(), []);
    }
    assert.equal(agent.seen('cancel').length, hidden.length);
  });

  it('C107 what was there before the pause is not shown again after the answer, although every snapshot holds it', async () => {
    const before = [
      artifact('a1', text('Looking.'), call('c1', 'look')),
      artifact('a2', result('c1', 'look', { found: 1 })),
    ];
    const then = [artifact('a3', call('c2', 'fix')), artifact('a4', result('c2', 'fix', { ok: true }))];
    const all = [...before, ...then, artifact('a5', text('Fixed.'))];
    const pause = approval(TOOL);
    const waits = stored('INPUT_REQUIRED', { message: pause, artifacts: before });
    const agent = stage.agent('c107');
    agent.on('send', streamed(...before, whole('INPUT_REQUIRED', { message: pause, artifacts: before })));
    agent.on('get', waits).on('send', streamed(...then, whole('COMPLETED', { artifacts: all })));
    const conversation = await stage.open('c107', 'Fix it.');
    assert.equal((await conversation.answer(await conversation.openRequest(), { approvals: YES })).status, 202);
    const thread = await conversation.settled();
    assert.deepEqual(
      thread.filter((entry) => !('heading' in entry)),
      [
        said('Fix it.'),
        answered('Looking.'),
        step('look', 'c1', {}, ['done', { found: 1 }]),
        step('fix', 'c2', {}, ['done', { ok: true }]),
        answered('\n\nFixed.'),
      ],
    );
    assert.equal(
      thread.findIndex((entry) => 'heading' in entry),
      3,
    );
  });

  it('what Go and Python leave out or write as null is none: choices, multiple, args and hint', async () => {
    const agent = stage.agent('spellings');
    const questions = [
      { question: 'Any name?', choices: null },
      { question: 'Which?', choices: ['a', 'b'] },
    ];
    const asked = { messageId: 'm1', parts: [text('?')], payload: { type: 'ask_user_request', id: 'q1', questions } };
    const gated = [
      { id: 't1', name: 'list_events', args: null },
      { id: 't2', name: 'ask_user' },
    ];
    const then: Message = { ...approval(), messageId: 'm2', payload: { type: 'tool_approval_request', tools: gated } };
    agent.on('send', streamed(whole('INPUT_REQUIRED', { message: asked })));
    agent.on('get', stored('INPUT_REQUIRED', { message: asked }), stored('INPUT_REQUIRED', { message: then }));
    agent.on('send', streamed(update('WORKING'), whole('INPUT_REQUIRED', { message: then })), completes);
    const conversation = await stage.open('spellings', 'Go.');
    const first = await conversation.openRequest();
    assert.deepEqual(first.questions, [
      { question: 'Any name?', choices: [], multiple: false },
      { question: 'Which?', choices: ['a', 'b'], multiple: false },
    ]);
    assert.equal((await conversation.answer(first, { answers: [['x'], ['a']] })).status, 202);
    const second = await conversation.openRequest((request) => request.id !== first.id);
    assert.deepEqual(second.tools, gated);
    const all = gated.map(({ id }) => ({ id, approved: true }));
    assert.equal((await conversation.answer(second, { approvals: all })).status, 202);
    assert.deepEqual((await conversation.settled()).at(-1), answered('Done.'));
  });
});
