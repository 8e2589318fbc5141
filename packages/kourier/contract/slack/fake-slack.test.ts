import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeSlack } from './fake-slack.ts';
import { listener, webClient } from './official-clients.ts';
import { shapeIn } from './shape.ts';
import { TestClock } from './test-clock.ts';
import { CHANNELS, PEOPLE } from './town.ts';

test('a mention comes as two events with one ts, is answered in its thread, and the answer is edited', async () => {
  const slack = await fakeSlack();
  const ear = await listener(slack);
  const web = webClient(slack.apiUrl, slack.app.botToken);
  try {
    const asked = slack.people.mention(CHANNELS.ops, PEOPLE.ada, 'is a < b & c?');
    await slack.until(() => ear.heard.length === 2);
    const events = ear.heard.map(({ body }) => shapeIn(body, 'event') ?? {});
    assert.deepEqual(events.map(({ type }) => type).sort(), ['app_mention', 'message']);
    assert.deepEqual(new Set(events.map(({ ts }) => ts)), new Set([asked.ts]));
    assert.equal(new Set(ear.heard.map(({ body }) => body['event_id'])).size, 2);
    for (const each of ear.heard) await each.ack();
    await slack.until(() => slack.deliveries.all.every(({ state }) => state === 'acknowledged'));

    const posted = await web.chat.postMessage({ channel: CHANNELS.ops, thread_ts: asked.ts, text: 'yes' });
    await web.chat.update({ channel: CHANNELS.ops, ts: posted.ts ?? '', text: 'no: a &lt; c' });
    assert.deepEqual(
      slack.messages(CHANNELS.ops, asked.ts).map(({ author, text, edited }) => ({ author, text, edited })),
      [
        { author: 'Ada', text: '@Kourier is a < b & c?', edited: false },
        { author: 'Kourier', text: 'no: a < c', edited: true },
      ],
    );
  } finally {
    await ear.close();
    await slack.close();
  }
});

test('C146 what is not acknowledged comes again at once, after a minute and after five, and then never', async () => {
  const clock = new TestClock();
  const slack = await fakeSlack({ clock });
  const ear = await listener(slack);
  try {
    slack.people.dm(PEOPLE.ada, 'hello');
    const [delivery] = slack.deliveries.all;
    const startMs = clock.now();
    for (const [attempt, waitMs] of [0, 60_000, 300_000, undefined].entries()) {
      await ear.hears(({ retry_num }) => retry_num === attempt);
      clock.advance(3_000);
      if (waitMs === 0) continue;
      await slack.until(() => delivery?.state === (waitMs === undefined ? 'lost' : 'waiting'));
      if (waitMs !== undefined) clock.advance(waitMs);
    }
    const beganMs = delivery?.attempts.map(({ atMs }) => atMs - startMs);
    assert.deepEqual(beganMs, [0, 3_000, 66_000, 369_000]);
    assert.deepEqual(
      ear.heard.map(({ retry_reason }) => retry_reason),
      ['', 'timeout', 'timeout', 'timeout'],
    );
    assert.equal(ear.heard.length, 4);
  } finally {
    await ear.close();
    await slack.close();
  }
});
