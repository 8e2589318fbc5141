import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeSlack } from '../../../../contract/slack/fake-slack.ts';
import { TestClock } from '../../../../contract/slack/test-clock.ts';
import { CHANNELS, PEOPLE } from '../../../../contract/slack/town.ts';
import { TEAM } from '../../../../contract/slack/world.ts';
import type { CallOutcome } from './calls/call-outcome.ts';
import { type SlackCalls, slackCalls } from './calls/slack-calls.ts';
import { PassingTime } from './fixtures/passing-time.ts';
import { placeOf } from './slack-place.ts';
import { ThreadStatusLine } from './thread-status.ts';

const PLACE = 'T0ACME/C0OPS/1700000000.000100';

function said(outcome: CallOutcome): { calls: SlackCalls; all: string[] } {
  const all: string[] = [];
  const calls: SlackCalls = {
    call(method, { status }) {
      all.push(`${method} ${status}`);
      return Promise.resolve(method.startsWith('agents.') ? outcome : { kind: 'ok', body: {} });
    },
  };
  return { calls, all };
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
};

test('the line of a thread says each change once, and is said again while the agent works', async () => {
  const clock = new TestClock();
  const { calls, all } = said({ kind: 'ok', body: {} });
  const line = new ThreadStatusLine(calls, clock);
  line.show(PLACE, 'idle');
  line.show(PLACE, 'running');
  line.show(PLACE, 'running');
  await settled();
  clock.advance(100_000);
  await settled();
  line.show(PLACE, 'waiting');
  await settled();
  line.show(PLACE, 'idle');
  await settled();
  clock.advance(1_000_000);
  const words = ['processing', 'processing', 'suspended', 'active'];
  assert.deepEqual(
    all,
    words.map((word) => `agents.sessions.setStatus ${word}`),
  );
  assert.deepEqual(clock.deadlines, []);
});

test('an app that is no agent has the line that every app has', async () => {
  const { calls, all } = said({ kind: 'no', error: 'not_an_agent' });
  const line = new ThreadStatusLine(calls, new TestClock());
  line.show(PLACE, 'running');
  await settled();
  line.show(PLACE, 'idle');
  await settled();
  assert.deepEqual(all, [
    'agents.sessions.setStatus processing',
    'assistant.threads.setStatus is working…',
    'assistant.threads.setStatus ',
  ]);
});

test('more threads than Slack takes changes of: each ends without its button, and says only what it is by then', async () => {
  const clock = new TestClock();
  const startMs = clock.now();
  const slack = await fakeSlack({ clock });
  const time = new PassingTime(clock);
  try {
    const { botToken } = slack.app;
    const calls = slackCalls({ platform: 'slack', botToken, apiUrl: slack.apiUrl, clock, observe: () => undefined });
    const line = new ThreadStatusLine(calls, clock);
    const threads = Array.from({ length: 120 }, () => slack.people.say(CHANNELS.ops, PEOPLE.ada, 'Is it up?').ts);
    const showAll = (status: 'running' | 'idle'): void => {
      for (const threadTs of threads) line.show(placeOf({ team: TEAM, channel: CHANNELS.ops, threadTs }), status);
    };
    const inSession = (status: string) => [...slack.world.sessions.values()].filter((each) => each.status === status);
    showAll('running');
    await time.during(slack.until(() => inSession('processing').length >= 50));
    showAll('idle');
    await time.during(slack.until(() => inSession('processing').length === 0));
    assert.deepEqual(slack.limits.refused, []);
    assert.ok(clock.now() - startMs < 2 * 60_000);
    line.close();
  } finally {
    time.restore();
    await slack.close();
  }
});
