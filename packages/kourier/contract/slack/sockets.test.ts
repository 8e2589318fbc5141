import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeSlack } from './fake-slack.ts';
import { listener, webClient } from './official-clients.ts';
import { TestClock } from './test-clock.ts';
import { CHANNELS, PEOPLE } from './town.ts';

test('each envelope goes to one of the sockets', async () => {
  const slack = await fakeSlack();
  const ears = [await listener(slack), await listener(slack)];
  try {
    for (let count = 0; count < 12; count++) slack.people.dm(PEOPLE.ada, `${count}`);
    await slack.until(() => ears.reduce((sum, { heard }) => sum + heard.length, 0) === 12);
    assert.ok(ears.every(({ heard }) => heard.length > 0));
    const ids = ears.flatMap(({ heard }) => heard.map(({ envelope_id }) => envelope_id));
    assert.equal(new Set(ids).size, 12);
    for (const { ack } of ears.flatMap(({ heard }) => heard)) await ack();
    await slack.until(() => slack.deliveries.all.every(({ state }) => state === 'acknowledged'));
  } finally {
    for (const ear of ears) await ear.close();
    await slack.close();
  }
});

test('C170 what a deaf socket gets is lost, and stands in the history', async () => {
  const slack = await fakeSlack();
  const ear = await listener(slack);
  const web = webClient(slack.apiUrl, slack.app.botToken);
  try {
    slack.sockets.setHearing('deaf');
    const { channel, ts } = slack.people.dm(PEOPLE.ada, 'hello?');
    await slack.until(() => slack.deliveries.all[0]?.state === 'lost');
    assert.equal(ear.heard.length, 0);
    assert.equal(slack.sockets.open.length, 1);
    assert.deepEqual(
      (await web.conversations.history({ channel })).messages?.map((message) => message.ts),
      [ts],
    );
  } finally {
    await ear.close();
    await slack.close();
  }
});

test('nobody connected: the event waits for a socket, and comes with the retry', async () => {
  const clock = new TestClock();
  const slack = await fakeSlack({ clock });
  slack.people.dm(PEOPLE.ada, 'hello?');
  const [delivery] = slack.deliveries.all;
  clock.advance(3_000);
  await slack.until(() => delivery?.attempts.length === 2);
  clock.advance(3_000);
  await slack.until(() => delivery?.state === 'waiting');
  const ear = await listener(slack);
  try {
    clock.advance(60_000);
    const heard = await ear.hears(() => true);
    assert.equal(heard.retry_num, 2);
    await heard.ack();
    await slack.until(() => delivery?.state === 'acknowledged');
  } finally {
    await ear.close();
    await slack.close();
  }
});

test('a recycled connection is told so, and the client comes back by itself', async () => {
  const slack = await fakeSlack();
  const ear = await listener(slack, 250);
  try {
    slack.sockets.recycle();
    await slack.until(() => ear.connected() >= 2 && slack.sockets.open.length === 1);
  } finally {
    await ear.close();
    await slack.close();
  }
});

test('a silent socket is given up by the client, which misses its pongs', async () => {
  const slack = await fakeSlack();
  const ear = await listener(slack, 250);
  try {
    slack.sockets.setHearing('silent', false);
    await slack.until(() => ear.connected() >= 2);
  } finally {
    await ear.close();
    await slack.close();
  }
});

test('a refused apps.connections.open and the eleventh connection', async () => {
  const slack = await fakeSlack();
  const web = webClient(slack.apiUrl, slack.app.appToken);
  try {
    slack.faults.next('apps.connections.open', { effect: 'never', answer: { status: 500 } });
    await assert.rejects(web.apps.connections.open(), { code: 'slack_webapi_http_error' });
    slack.sockets.max = 0;
    const { url = '' } = await web.apps.connections.open();
    const socket = new WebSocket(url);
    const told = new Promise((resolve) => {
      socket.onmessage = ({ data }) => resolve(JSON.parse(String(data)));
    });
    const closed = new Promise((resolve) => {
      socket.onclose = resolve;
    });
    assert.partialDeepStrictEqual(await told, { type: 'disconnect', reason: 'too_many_websockets' });
    await closed;
    assert.equal(slack.messages(CHANNELS.ops).length, 0);
  } finally {
    await slack.close();
  }
});
