import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { webClient } from '../../../../../contract/slack/official-clients.ts';
import { CHANNELS, PEOPLE } from '../../../../../contract/slack/town.ts';
import type { Question, RequestEntry } from '../../../../core/thread/entry.ts';
import type { EntryId, TurnId } from '../../../../core/thread/ids.ts';
import { type AppOnSlack, type AppOptions, appOnSlack } from '../fixtures/app-on-slack.ts';
import { requestBody } from '../layout/request-body.ts';
import type { BlocksBody } from '../layout/slack-body.ts';

const { ops } = CHANNELS;
const { ada, bob } = PEOPLE;

const APPROVAL = {
  type: 'tool-approval',
  heading: 'Restart the pod?',
  questions: [],
  tools: [{ id: 't1', name: 'restart_pod', args: { pod: 'web-1' } }],
} as const;
const TWO_TOOLS = { ...APPROVAL, tools: [...APPROVAL.tools, { id: 't2', name: 'delete_pvc' }] };
const ask = (...questions: Question[]) => ({ type: 'questions', heading: 'Tell me', questions, tools: [] }) as const;

async function prompted(t: TestContext, request: Partial<RequestEntry>, options: AppOptions = {}) {
  const app = await appOnSlack(t, options);
  await app.ready();
  const root = app.slack.people.mention(ops, ada, 'do it');
  await app.slack.until(() => app.door.turns.length === 1);
  const thread = await app.store.threadAt('ops', `T0ACME/${ops}/${root.ts}`);
  assert.ok(thread);
  const entry: RequestEntry = {
    ...{ kind: 'request', id: 'r1' as EntryId, turnId: 'u1' as TurnId, state: 'open', until: '2030-01-01T00:00:00Z' },
    ...{ ...APPROVAL, ...request },
  };
  await app.door.write(thread, entry);
  const { blocks, plain } = requestBody(entry) as BlocksBody;
  const api = webClient(app.slack.apiUrl, app.slack.app.botToken);
  const posted = await api.chat.postMessage({ channel: ops, thread_ts: root.ts, text: plain, blocks: [...blocks] });
  const message = app.slack.world.message(ops, posted.ts ?? '');
  assert.ok(message);
  return { ...app, thread, entry, message };
}

const told = ({ slack }: AppOnSlack, user: string) => slack.until(() => slack.privately(user).at(-1)?.text);

const decided = ({ door }: AppOnSlack) => door.answers.map(({ given, kind }) => ({ ...given, kind }));

for (const mode of ['socket', 'http'] as const) {
  it(`an approval by one click, by ${mode}: all of it, with who clicked`, async (t) => {
    const app = await prompted(t, { approvers: [ada] }, { mode });
    assert.equal(await app.slack.people.click(app.message, 'kourier.approve', ada), 'taken');
    assert.deepEqual(decided(app), [
      {
        kind: 'accepted',
        approvals: [{ id: 't1', approved: true }],
        actor: { id: ada, name: 'Ada', email: 'ada@example.com' },
      },
    ]);
    assert.deepEqual(app.slack.privately(ada), []);
  });
}

describe('clicks on prompts', () => {
  it('C098 who may not decide is told so alone, and nothing is decided', async (t) => {
    const app = await prompted(t, { approvers: [ada] });
    assert.equal(await app.slack.people.click(app.message, 'kourier.deny', bob), 'taken');
    assert.equal(await told(app, bob), `You may not decide this. Ask <@${ada}>.`);
    assert.deepEqual(
      decided(app).map(({ kind }) => kind),
      ['forbidden'],
    );
  });

  it('a click that comes too late is told what was decided, and by whom', async (t) => {
    const app = await prompted(t, {});
    await app.slack.people.click(app.message, 'kourier.approve', ada);
    await app.slack.people.click(app.message, 'kourier.deny', bob);
    assert.equal(await told(app, bob), 'This was approved by Ada already. Nothing more is to be decided.');
    assert.deepEqual(
      decided(app).map(({ kind }) => kind),
      ['accepted', 'settled'],
    );
  });

  it('a double click decides once and says nothing', async (t) => {
    const app = await prompted(t, {});
    const click = () => app.slack.people.click(app.message, 'kourier.approve', ada);
    assert.deepEqual(await Promise.all([click(), click()]), ['taken', 'taken']);
    assert.deepEqual(
      decided(app)
        .map(({ kind }) => kind)
        .sort(),
      ['accepted', 'settled'],
    );
    assert.deepEqual(app.slack.privately(ada), []);
  });

  it('a decision that is not durable is shown as failed', async (t) => {
    const app = await prompted(t, {}, { mode: 'http' });
    app.door.fault = new Error('disk full');
    assert.equal(await app.slack.people.click(app.message, 'kourier.approve', ada), 'failed');
    assert.equal(await app.slack.people.click(app.message, 'kourier.approve', ada), 'taken');
  });

  it('of several tools, one click decides all, and a form each; no half of it is ever taken', async (t) => {
    const app = await prompted(t, TWO_TOOLS);
    await app.slack.people.click(app.message, 'kourier.decide', ada);
    const view = app.slack.people.view(ada);
    assert.ok(view);
    await assert.rejects(app.slack.people.submit(view, { 'field.0': 'approve' }, ada), /missing_input/);
    assert.deepEqual(await app.slack.people.submit(view, { 'field.0': 'approve', 'field.1': 'deny' }, ada), {
      kind: 'closed',
    });
    assert.deepEqual(decided(app)[0]?.approvals, [
      { id: 't1', approved: true },
      { id: 't2', approved: false },
    ]);
  });

  it('a form does not open for who may not decide, nor for what is decided', async (t) => {
    const app = await prompted(t, { ...TWO_TOOLS, approvers: [ada] });
    await app.slack.people.click(app.message, 'kourier.decide', bob);
    assert.match(await told(app, bob), /You may not decide this/);
    await app.slack.people.click(app.message, 'kourier.deny', ada);
    await app.slack.people.click(app.message, 'kourier.decide', ada);
    assert.match(await told(app, ada), /This was denied by Ada already/);
    assert.deepEqual([app.slack.people.view(ada), app.slack.people.view(bob)], [undefined, undefined]);
  });

  it('a form that was open when somebody else decided says so', async (t) => {
    const app = await prompted(t, TWO_TOOLS);
    await app.slack.people.click(app.message, 'kourier.decide', bob);
    await app.slack.people.click(app.message, 'kourier.deny', ada);
    const view = app.slack.people.view(bob);
    assert.ok(view);
    const sent = await app.slack.people.submit(view, { 'field.0': 'approve', 'field.1': 'approve' }, bob);
    assert.deepEqual(sent, { kind: 'updated' });
    assert.match(JSON.stringify(app.slack.people.view(bob)?.given), /This was denied by Ada already/);
    assert.deepEqual(
      decided(app).map(({ kind }) => kind),
      ['accepted', 'settled'],
    );
  });

  it('a request that is gone is said to be', async (t) => {
    const app = await prompted(t, {});
    app.message.blocks = JSON.parse(JSON.stringify(app.message.blocks).replaceAll('"r1"', '"r9"'));
    await app.slack.people.click(app.message, 'kourier.approve', ada);
    assert.equal(await told(app, ada), 'This request is not there any more.');
  });
});

describe('questions', () => {
  it('one with few choices is answered by one click', async (t) => {
    const app = await prompted(t, ask({ question: 'Which?', choices: ['blue', 'green'], multiple: false }));
    await app.slack.people.click(app.message, 'kourier.choose.1', ada);
    assert.deepEqual(decided(app)[0]?.answers, [['green']]);
  });

  it('several are answered in a form: one, many, many of a hundred, free text', async (t) => {
    const many = Array.from({ length: 100 }, (_, place) => `choice ${place} ${'x'.repeat(60)}`);
    const request = ask(
      { question: 'Which?', choices: ['blue', 'green'], multiple: false },
      { question: 'Which all?', choices: ['a', 'b', 'c'], multiple: true },
      { question: 'Of many?', choices: many, multiple: true },
      { question: `Why${'?'.repeat(2_500)}`, choices: [], multiple: false },
    );
    const app = await prompted(t, request, {});
    // The message is too long to be shown whole; its form is not.
    app.message.blocks = [
      { type: 'actions', elements: [{ type: 'button', action_id: 'kourier.answer', value: 'r1' }] },
    ];
    await app.slack.people.click(app.message, 'kourier.answer', bob);
    const view = app.slack.people.view(bob);
    assert.ok(view, JSON.stringify(app.lines));
    const filled = { 'field.0': 'green', 'field.1': ['a', 'c'], 'field.2': ['0', '99'], 'field.3': 'because < & >' };
    assert.deepEqual(await app.slack.people.submit(view, filled, bob), { kind: 'closed' });
    assert.deepEqual(decided(app)[0]?.answers, [['green'], ['a', 'c'], [many[0], many[99]], ['because < & >']]);
  });

  it('an answer of blanks is refused in the form, beside its question, and stays', async (t) => {
    const app = await prompted(t, {
      type: 'text',
      questions: [{ question: 'Why?', choices: [], multiple: false }],
      tools: [],
    });
    await app.slack.people.click(app.message, 'kourier.answer', ada);
    const view = app.slack.people.view(ada);
    assert.ok(view);
    const refused = await app.slack.people.submit(view, { 'field.0': '   ' }, ada);
    assert.deepEqual(refused, { kind: 'errors', errors: { 'field.0': 'question 1 is not answered' } });
    app.door.stopping = true;
    const stopping = await app.slack.people.submit(view, { 'field.0': 'because' }, ada);
    assert.equal(stopping.kind, 'errors');
    app.door.stopping = false;
    assert.deepEqual(await app.slack.people.submit(view, { 'field.0': 'because' }, ada), { kind: 'closed' });
  });

  it('a form that Slack does not open in time is said to be, and can be asked for again', async (t) => {
    const app = await prompted(t, TWO_TOOLS);
    app.slack.faults.next('views.open', { effect: 'never', answer: { error: 'expired_trigger_id' } });
    await app.slack.people.click(app.message, 'kourier.decide', ada);
    assert.match(await told(app, ada), /did not open/);
    await app.slack.people.click(app.message, 'kourier.decide', ada);
    assert.ok(app.slack.people.view(ada));
  });
});
