import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WebAPIHTTPError, WebAPIRequestError } from '@slack/web-api';
import { fakeSlack } from './fake-slack.ts';
import type { Fault } from './faults.ts';
import { webClient } from './official-clients.ts';
import { refusal } from './refusal.ts';
import { TestClock } from './test-clock.ts';
import { CHANNELS, PEOPLE } from './town.ts';

const channel = CHANNELS.ops;
const METHOD = 'chat.postMessage';

const AMBIGUOUS: readonly [what: string, fault: Fault, posted: number, error: new (...args: never[]) => Error][] = [
  ['the response is lost', { answer: 'dropped' }, 1, WebAPIRequestError],
  ['the request is lost', { effect: 'never', answer: 'dropped' }, 0, WebAPIRequestError],
  ['a 503 after it was done', { answer: { status: 503 } }, 1, WebAPIHTTPError],
  ['a 502 before it was done', { effect: 'never', answer: { status: 502 } }, 0, WebAPIHTTPError],
];

for (const [what, fault, posted, error] of AMBIGUOUS) {
  test(`${what}: the client cannot tell, and the fake can`, async () => {
    const slack = await fakeSlack();
    const web = webClient(slack.apiUrl, slack.app.botToken);
    try {
      slack.faults.next(METHOD, fault);
      await assert.rejects(web.chat.postMessage({ channel, text: 'x' }), error);
      assert.equal(slack.messages(channel).length, posted);
      assert.equal(slack.faults.waiting, 0);
      await web.chat.postMessage({ channel, text: 'x' });
      assert.equal(slack.messages(channel).length, posted + 1);
    } finally {
      await slack.close();
    }
  });
}

test('a fatal error may come after it was done; a fault strikes only the call that it is meant for', async () => {
  const slack = await fakeSlack();
  const web = webClient(slack.apiUrl, slack.app.botToken);
  try {
    slack.faults.next(METHOD, { answer: { error: 'fatal_error' } }, { when: ({ text }) => text === 'b' });
    assert.equal(await refusal(web.chat.postMessage({ channel, text: 'a' })), 'not refused');
    assert.equal(await refusal(web.chat.postMessage({ channel, text: 'b' })), 'fatal_error');
    assert.deepEqual(
      slack.messages(channel).map(({ text }) => text),
      ['a', 'b'],
    );
  } finally {
    await slack.close();
  }
});

test('a call may be done long after its connection was lost, and a double has one marker', async () => {
  const clock = new TestClock();
  const slack = await fakeSlack({ clock });
  const web = webClient(slack.apiUrl, slack.app.botToken);
  const metadata = { event_type: 'kourier_delivery', event_payload: { key: 'k1' } };
  try {
    slack.faults.next(METHOD, { effect: { afterMs: 9_000 }, answer: 'dropped' });
    await assert.rejects(web.chat.postMessage({ channel, text: 'x', metadata }), WebAPIRequestError);
    assert.equal(slack.messages(channel).length, 0);
    await web.chat.postMessage({ channel, text: 'x', metadata });
    assert.equal(slack.audit.doubled.length, 0);
    clock.advance(9_000);
    assert.equal(slack.messages(channel).length, 2);
    assert.equal(slack.audit.doubled.length, 1);
  } finally {
    await slack.close();
  }
});

test('a post may be hidden from those who read, for a while', async () => {
  const clock = new TestClock();
  const slack = await fakeSlack({ clock });
  const web = webClient(slack.apiUrl, slack.app.botToken);
  try {
    const root = slack.people.mention(channel, PEOPLE.ada, 'go').ts;
    slack.faults.next(METHOD, { hideForMs: 4_000 });
    await web.chat.postMessage({ channel, thread_ts: root, text: 'x' });
    const count = async () => (await web.conversations.replies({ channel, ts: root })).messages?.length;
    assert.equal(await count(), 1);
    assert.equal(slack.messages(channel, root).length, 2);
    clock.advance(4_000);
    assert.equal(await count(), 2);
  } finally {
    await slack.close();
  }
});
