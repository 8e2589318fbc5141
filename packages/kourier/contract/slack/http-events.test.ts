import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { fakeSlack } from './fake-slack.ts';
import { requestUrls } from './request-urls.ts';
import { TestClock } from './test-clock.ts';
import { PEOPLE } from './town.ts';

test('events by HTTP are signed, and come again with the number and the reason of the retry', async () => {
  const clock = new TestClock();
  const slack = await fakeSlack({ clock });
  const app = await requestUrls(() => slack.world.changes.note());
  try {
    slack.deliverTo(app.urls);
    app.replies.push({ status: 500 }, undefined, { status: 200 });
    slack.people.dm(PEOPLE.bob, 'hello');
    await slack.until(() => app.received.length === 2);
    clock.advance(3_000);
    await slack.until(() => slack.deliveries.all[0]?.state === 'waiting');
    clock.advance(60_000);
    await slack.until(() => slack.deliveries.all[0]?.state === 'acknowledged');

    assert.deepEqual(
      app.received.map(({ headers }) => [headers['x-slack-retry-num'], headers['x-slack-retry-reason']]),
      [
        [undefined, undefined],
        ['1', 'http_error'],
        ['2', 'http_timeout'],
      ],
    );
    const [first, second] = app.received;
    assert.equal(first?.body, second?.body);
    const stamp = String(first?.headers['x-slack-request-timestamp']);
    const digest = createHmac('sha256', slack.app.signingSecret).update(`v0:${stamp}:${first?.body}`).digest('hex');
    assert.equal(first?.headers['x-slack-signature'], `v0=${digest}`);
  } finally {
    await app.close();
    await slack.close();
  }
});
