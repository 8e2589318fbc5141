import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { App } from '@slack/bolt';
import { fakeSlack } from '../contract/slack/fake-slack.ts';
import { SILENT } from '../contract/slack/official-clients.ts';
import { TestClock } from '../contract/slack/test-clock.ts';
import { CHANNELS, PEOPLE } from '../contract/slack/town.ts';

const channel = CHANNELS.ops;

test('an app of the official framework answers a mention, takes a click and opens a modal on our fake', async () => {
  const slack = await fakeSlack();
  const bolt = new App({
    token: slack.app.botToken,
    appToken: slack.app.appToken,
    socketMode: true,
    logger: SILENT,
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

test('the official receiver takes our signatures while they are fresh, and gives the challenge back', async () => {
  const clock = new TestClock(Date.now() - 600_000);
  const slack = await fakeSlack({ clock });
  const { botToken, signingSecret } = slack.app;
  const clientOptions = { slackApiUrl: slack.apiUrl };
  const bolt = new App({ token: botToken, signingSecret, clientOptions, logger: SILENT });
  const heard: string[] = [];
  bolt.message(async ({ event }) => {
    heard.push(event.ts);
    slack.world.changes.note();
  });
  const server = await bolt.start({ port: 0, host: '127.0.0.1' });
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/slack/events`;
    const urls = { events: url, interactivity: url };
    slack.deliverTo(urls);
    const stale = slack.people.dm(PEOPLE.ada, 'signed ten minutes ago');
    await slack.until(() => slack.deliveries.of(stale.ts)[0]?.state === 'waiting');
    const [refused] = slack.deliveries.of(stale.ts)[0]?.attempts ?? [];
    assert.partialDeepStrictEqual(refused?.outcome, { kind: 'failed', reason: 'http_error' });

    clock.advance(600_000);
    assert.equal(await slack.verifies(urls), true);
    const { ts } = slack.people.dm(PEOPLE.ada, 'fresh');
    await slack.until(() => slack.deliveries.of(ts)[0]?.state === 'acknowledged');
    assert.deepEqual(await slack.until(() => heard.length > 0 && heard), [ts]);
  } finally {
    await bolt.stop();
    await slack.close();
  }
});
