import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KnownBlock, View } from '@slack/types';
import { fakeSlack } from './fake-slack.ts';
import { type Heard, listener, webClient } from './official-clients.ts';
import { refusal } from './refusal.ts';
import { requestUrls } from './request-urls.ts';
import { isShape, shapeIn, shapesIn } from './shape.ts';
import { TestClock } from './test-clock.ts';
import { CHANNELS, PEOPLE } from './town.ts';

const channel = CHANNELS.ops;
const plain = (text: string) => ({ type: 'plain_text', text }) as const;
const option = (text: string) => ({ text: plain(text), value: text.toLowerCase() });
const BLOCKS: KnownBlock[] = [
  {
    type: 'actions',
    block_id: 'decide',
    elements: [
      { type: 'button', action_id: 'approve', text: plain('Approve'), value: 'r1' },
      { type: 'static_select', action_id: 'pick', options: [option('Red'), option('Blue')] },
    ],
  },
];
const VIEW: View = {
  type: 'modal',
  callback_id: 'answer',
  private_metadata: 'r1',
  title: plain('Answer'),
  submit: plain('Send'),
  blocks: [
    { type: 'input', block_id: 'why', label: plain('Why?'), element: { type: 'plain_text_input', action_id: 'text' } },
    {
      type: 'input',
      block_id: 'colours',
      optional: true,
      label: plain('Colours'),
      element: { type: 'checkboxes', action_id: 'many', options: [option('Red'), option('Blue')] },
    },
  ],
};

const isKind = (kind: string) => (heard: Heard) => heard.body['type'] === kind;

test('a click brings who, where, what and when; a menu what was chosen; twice is two', async () => {
  const slack = await fakeSlack();
  const ear = await listener(slack);
  const web = webClient(slack.apiUrl, slack.app.botToken);
  try {
    await web.chat.postMessage({ channel, text: 'Decide', blocks: BLOCKS });
    const [seen] = slack.messages(channel);
    assert.ok(seen);
    assert.deepEqual(seen.buttons, [{ actionId: 'approve', label: 'Approve', value: 'r1' }]);
    const clicks = [
      slack.people.click(seen.message, 'approve', PEOPLE.ada),
      slack.people.click(seen.message, 'approve', PEOPLE.ada),
      slack.people.click(seen.message, 'pick', PEOPLE.bob, 'Blue'),
    ];
    const heard = await slack.until(() => {
      const found = ear.heard.filter(isKind('block_actions'));
      return found.length === 3 ? found : undefined;
    });
    for (const { ack } of heard) await ack();
    assert.deepEqual(await Promise.all(clicks), ['taken', 'taken', 'taken']);
    const actions = heard.map(({ body }) => shapesIn(body, 'actions')[0] ?? {});
    assert.partialDeepStrictEqual(heard[0]?.body, {
      type: 'block_actions',
      user: { id: PEOPLE.ada },
      container: { message_ts: seen.ts, channel_id: channel },
      actions: [{ action_id: 'approve', block_id: 'decide', value: 'r1' }],
    });
    assert.equal(new Set(actions.map(({ action_ts }) => action_ts)).size, 3);
    const chosen = actions.find(({ action_id }) => action_id === 'pick');
    assert.partialDeepStrictEqual(chosen, { selected_option: { value: 'blue' } });
    await web.chat.update({ channel, ts: seen.ts, text: 'Decided' });
    await assert.rejects(slack.people.click(seen.message, 'approve', PEOPLE.ada), { code: 'no_such_element' });
  } finally {
    await ear.close();
    await slack.close();
  }
});

test('a click that is not acknowledged within three seconds has failed, and does not come again', async () => {
  const clock = new TestClock();
  const slack = await fakeSlack({ clock });
  const ear = await listener(slack);
  const web = webClient(slack.apiUrl, slack.app.botToken);
  try {
    await web.chat.postMessage({ channel, text: 'Decide', blocks: BLOCKS });
    const [seen] = slack.messages(channel);
    assert.ok(seen);
    const click = slack.people.click(seen.message, 'approve', PEOPLE.ada);
    await ear.hears(isKind('block_actions'));
    clock.advance(3_000);
    assert.equal(await click, 'failed');
    assert.equal(slack.deliveries.all.at(-1)?.attempts.length, 1);
  } finally {
    await ear.close();
    await slack.close();
  }
});

test('a click opens a modal within three seconds; what is submitted may be sent back with errors', async () => {
  const clock = new TestClock();
  const slack = await fakeSlack({ clock });
  const ear = await listener(slack);
  const web = webClient(slack.apiUrl, slack.app.botToken);
  try {
    await web.chat.postMessage({ channel, text: 'Decide', blocks: BLOCKS });
    const [seen] = slack.messages(channel);
    assert.ok(seen);
    const click = slack.people.click(seen.message, 'approve', PEOPLE.ada);
    const heard = await ear.hears(isKind('block_actions'));
    const trigger_id = String(heard.body['trigger_id']);
    await web.views.open({ trigger_id, view: VIEW });
    await heard.ack();
    await click;
    assert.equal(await refusal(web.views.open({ trigger_id, view: VIEW })), 'exchanged_trigger_id');

    const view = slack.people.view(PEOPLE.ada);
    assert.ok(view);
    await assert.rejects(slack.people.submit(view, {}, PEOPLE.ada), { code: 'missing_input' });
    const first = slack.people.submit(view, { why: 'because', colours: ['Red', 'Blue'] }, PEOPLE.ada);
    const submitted = await ear.hears(isKind('view_submission'));
    const { state } = shapeIn(submitted.body, 'view') ?? {};
    assert.partialDeepStrictEqual(state, {
      values: {
        why: { text: { value: 'because' } },
        colours: { many: { selected_options: [{ value: 'red' }, { value: 'blue' }] } },
      },
    });
    await submitted.ack({ response_action: 'errors', errors: { why: 'too short' } });
    assert.deepEqual(await first, { kind: 'errors', errors: { why: 'too short' } });
    assert.equal(slack.people.view(PEOPLE.ada), view);

    const again = slack.people.submit(view, { why: 'because of that' }, PEOPLE.ada);
    const second = await slack.until(() => ear.heard.filter(isKind('view_submission'))[1]);
    await second.ack();
    assert.deepEqual(await again, { kind: 'closed' });
    assert.equal(slack.people.view(PEOPLE.ada), undefined);
  } finally {
    await ear.close();
    await slack.close();
  }
});

test('by HTTP an interaction is a signed form, and what it is answered counts', async () => {
  const slack = await fakeSlack();
  const app = await requestUrls(() => slack.world.changes.note());
  const web = webClient(slack.apiUrl, slack.app.botToken);
  try {
    slack.deliverTo(app.urls);
    await web.chat.postMessage({ channel, text: 'Decide', blocks: BLOCKS });
    await slack.until(() => slack.deliveries.all.every(({ state }) => state === 'acknowledged'));
    const [seen] = slack.messages(channel);
    assert.ok(seen);
    assert.equal(await slack.people.click(seen.message, 'approve', PEOPLE.ada), 'taken');
    const got = app.received.at(-1);
    assert.equal(got?.path, '/slack/interactivity');
    assert.match(String(got?.headers['x-slack-signature']), /^v0=[0-9a-f]{64}$/);
    const payload: unknown = JSON.parse(new URLSearchParams(got?.body).get('payload') ?? '');
    assert.ok(isShape(payload));
    const respond = (text: string) =>
      fetch(String(payload['response_url']), { method: 'POST', body: JSON.stringify({ text }) });
    assert.equal((await respond('only you')).status, 200);
    assert.deepEqual(
      slack.privately(PEOPLE.ada).map(({ text }) => text),
      ['only you'],
    );
    app.replies.push({ status: 500 });
    assert.equal(await slack.people.click(seen.message, 'approve', PEOPLE.ada), 'failed');
    for (let use = 1; use < 5; use++) assert.equal((await respond('x')).status, 200);
    assert.equal((await respond('one too many')).status, 404);
  } finally {
    await app.close();
    await slack.close();
  }
});
