import assert from 'node:assert/strict';
import { test } from 'node:test';
import { App, LogLevel } from '@slack/bolt';
import { fakeSlack } from '../contract/slack/fake-slack.ts';
import { CHANNELS, PEOPLE } from '../contract/slack/town.ts';

const channel = CHANNELS.ops;

test('an app of the official framework answers a mention, takes a click and opens a modal on our fake', async () => {
  const slack = await fakeSlack();
  const bolt = new App({
    token: slack.app.botToken,
    appToken: slack.app.appToken,
    socketMode: true,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: slack.apiUrl },
  });
  bolt.event('app_mention', async ({ event, say }) => {
    const elements = [
      { type: 'button' as const, action_id: 'ask', text: { type: 'plain_text' as const, text: 'Ask' } },
    ];
    await say({ thread_ts: event.ts, text: 'Ask?', blocks: [{ type: 'actions', elements }] });
  });
  bolt.action('ask', async ({ ack, body, client }) => {
    await ack();
    assert.ok('trigger_id' in body);
    const label = { type: 'plain_text' as const, text: 'Why?' };
    const element = { type: 'plain_text_input' as const, action_id: 'text' };
    await client.views.open({
      trigger_id: body.trigger_id,
      view: {
        type: 'modal',
        callback_id: 'why',
        title: label,
        submit: label,
        blocks: [{ type: 'input', block_id: 'why', label, element }],
      },
    });
  });
  bolt.view('why', async ({ ack, view, client }) => {
    await ack();
    await client.chat.postMessage({ channel, text: `because ${view.state.values['why']?.['text']?.value ?? ''}` });
  });
  await bolt.start();
  try {
    const asked = slack.people.mention(channel, PEOPLE.ada, 'hello');
    const answer = await slack.until(() => slack.messages(channel, asked.ts)[1]);
    assert.equal(await slack.people.click(answer.message, 'ask', PEOPLE.ada), 'taken');
    const view = await slack.until(() => slack.people.view(PEOPLE.ada));
    assert.deepEqual(await slack.people.submit(view, { why: 'I say so' }, PEOPLE.ada), { kind: 'closed' });
    await slack.until(() => slack.messages(channel).some(({ text }) => text === 'because I say so'));
    await slack.until(() => slack.deliveries.all.every(({ state }) => state === 'acknowledged'));
  } finally {
    await bolt.stop();
    await slack.close();
  }
});
