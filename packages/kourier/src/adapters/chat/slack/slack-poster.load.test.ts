import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FakeSlack, fakeSlack } from '../../../../contract/slack/fake-slack.ts';
import { TestClock } from '../../../../contract/slack/test-clock.ts';
import { PEOPLE } from '../../../../contract/slack/town.ts';
import { TEAM } from '../../../../contract/slack/world.ts';
import { GrowingThread } from './fixtures/growing-thread.ts';
import { askedIn, deliveredStore, deliveriesOn } from './fixtures/loaded-slack.ts';
import { PassingTime } from './fixtures/passing-time.ts';
import { placeOf } from './slack-place.ts';

const THREADS = 100;
const CHANNELS = 10;
/** Some answers are more than one message takes. */
const LONG_EVERY = 10;
const MINUTE_MS = 60_000;

test('a hundred threads that grow at once are shown whole, once, in order, within the rates of Slack', {
  timeout: 300_000,
}, async () => {
  const { slack, passedMs } = await shown();
  assert.deepEqual(slack.limits.refused, []);
  assert.deepEqual([...new Set(slack.calls.map(({ result }) => result))], ['ok']);
  assert.equal(
    slack.calls.filter(({ method }) => method === 'users.info').length,
    1,
    'one person asked in all of them',
  );
  assert.ok(passedMs < 15 * MINUTE_MS, `${passedMs / MINUTE_MS} minutes`);
});

test('a hundred threads, where Slack takes half of what it says: what it refuses is asked for later', {
  timeout: 300_000,
}, async () => {
  const { slack, passedMs } = await shown(({ limits }) => {
    for (const method of ['chat.postMessage', 'chat.update', 'chat.startStream', 'chat.stopStream']) {
      limits.perMinute.set(method, (limits.perMinute.get(method) ?? 0) / 2);
    }
  });
  assert.ok(slack.limits.refused.length > 0);
  assert.deepEqual([...new Set(slack.calls.map(({ result }) => result))].sort(), ['ok', 'ratelimited']);
  assert.ok(passedMs < 30 * MINUTE_MS, `${passedMs / MINUTE_MS} minutes`);
});

test('a hundred threads, where connections are lost before and after Slack did what was asked', {
  timeout: 300_000,
}, async () => {
  const { slack } = await shown(({ faults }) => {
    const lost = { 'chat.postMessage': 10, 'chat.update': 10, 'chat.startStream': 3, 'chat.appendStream': 3 };
    for (const [method, times] of Object.entries(lost)) {
      faults.next(method, { answer: 'dropped' }, { times });
      faults.next(method, { effect: 'never', answer: 'dropped' }, { times });
    }
  });
  assert.equal(slack.faults.waiting, 0);
  assert.deepEqual(slack.limits.refused, []);
});

/** Everything is shown, as it is to be seen. */
async function shown(hindered: (slack: FakeSlack) => void = () => undefined) {
  const clock = new TestClock();
  const time = new PassingTime(clock);
  const slack = await fakeSlack({ clock });
  hindered(slack);
  try {
    const startMs = clock.now();
    const { store, isShown, delivering } = deliveredStore();
    const deliveries = deliveriesOn(slack, clock, delivering);
    const threads = Array.from({ length: THREADS }, (_, index) => {
      const { channel, ts } = askedIn(slack, index % CHANNELS);
      const pieceLength = index % LONG_EVERY === 0 ? 500 : 60;
      const place = placeOf({ team: TEAM, channel, threadTs: ts });
      const growth = { store, clock, place, asker: PEOPLE.ada, pieces: 30, pieceLength };
      const thread = new GrowingThread(`thread${index}`, { ...growth, show: (update) => deliveries.show(update) });
      return { thread, channel, ts };
    });
    await time.during(Promise.all(threads.map(({ thread }) => thread.grow())).then(isShown));
    const passedMs = clock.now() - startMs;
    await time.during(deliveries.leave());
    for (const { thread, channel, ts } of threads) {
      const ours = slack.messages(channel, ts).filter(({ ours }) => ours);
      assert.equal(words(ours.map(({ text }) => text).join(' ')), words(thread.whole));
    }
    const { doubled, streaming, unmarked } = slack.audit;
    assert.deepEqual([doubled, streaming, unmarked], [[], [], []]);
    // Some were seen to grow.
    for (const method of ['chat.startStream', 'chat.appendStream', 'chat.update'])
      assert.ok(
        slack.calls.some((call) => call.method === method && call.result === 'ok'),
        method,
      );
    return { slack, passedMs };
  } finally {
    time.restore();
    await slack.close();
  }
}

/** What is read, without what only keeps it from being more than that. */
const words = (text: string): string => text.replaceAll('\u2060', '').split(/\s+/).filter(Boolean).join(' ');
