import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnyChunk } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { type FakeSlack, fakeSlack } from './fake-slack.ts';
import { webClient } from './official-clients.ts';
import { refusal } from './refusal.ts';
import { TestClock } from './test-clock.ts';
import { CHANNELS, PEOPLE } from './town.ts';
import { TEAM } from './world.ts';

const channel = CHANNELS.ops;

const text = (words: string): AnyChunk => ({ type: 'markdown_text', text: words });

interface Stage {
  readonly slack: FakeSlack;
  readonly clock: TestClock;
  readonly web: WebClient;
  readonly thread: string;
  start(chunks?: AnyChunk[]): Promise<string>;
}

const onStage = (what: string, body: (stage: Stage) => Promise<void>): void => {
  test(what, async () => {
    const clock = new TestClock();
    const slack = await fakeSlack({ clock, rateLimits: false });
    const web = webClient(slack.apiUrl, slack.app.botToken);
    const thread = slack.people.mention(channel, PEOPLE.ada, 'go').ts;
    const to = { channel, thread_ts: thread, recipient_user_id: PEOPLE.ada, recipient_team_id: TEAM };
    const start = async (chunks: AnyChunk[] = []): Promise<string> =>
      (await web.chat.startStream({ ...to, task_display_mode: 'timeline', chunks })).ts ?? '';
    try {
      await body({ slack, clock, web, thread, start });
    } finally {
      await slack.close();
    }
  });
};

onStage(
  'a stream grows; a task’s title and status are replaced, its details and output are added to',
  async (stage) => {
    const { slack, web, thread, start } = stage;
    const task = (status: 'in_progress' | 'complete', more: object): AnyChunk =>
      Object.assign({ type: 'task_update', id: 't1', title: `Search (${status})`, status } as const, more);
    const ts = await start([text('Hel')]);
    await web.chat.appendStream({
      channel,
      ts,
      chunks: [text('lo '), task('in_progress', { details: 'look', output: 'a' })],
    });
    assert.equal(slack.messages(channel, thread)[1]?.streaming, true);
    await web.chat.appendStream({ channel, ts, chunks: [task('complete', { output: 'b' }), text('there')] });
    await web.chat.stopStream({ channel, ts });
    const [, seen] = slack.messages(channel, thread);
    assert.equal(seen?.text, 'Hello \n(complete) Search (complete)\nlook\nab\nthere');
    assert.equal(seen?.streaming, false);
  },
);

onStage('C155 a stream dies five minutes after it began, and can be edited then but not before', async (stage) => {
  const { slack, clock, web, thread, start } = stage;
  const ts = await start([text('one')]);
  assert.equal(await refusal(web.chat.update({ channel, ts, text: 'two' })), 'streaming_state_conflict');
  clock.advance(299_999);
  await web.chat.appendStream({ channel, ts, chunks: [text(', two')] });
  clock.advance(1);
  const late = web.chat.appendStream({ channel, ts, chunks: [text('three')] });
  assert.equal(await refusal(late), 'message_not_in_streaming_state');
  assert.equal(await refusal(web.chat.stopStream({ channel, ts })), 'message_not_in_streaming_state');
  assert.equal(slack.messages(channel, thread)[1]?.text, 'one, two');
  await web.chat.update({ channel, ts, text: 'all of it' });
  assert.equal(slack.messages(channel, thread)[1]?.text, 'all of it');
});

onStage('chunks and markdown_text do not mix, in one call or in one stream', async ({ web, start }) => {
  const ts = await start([text('one')]);
  const both = web.chat.appendStream({ channel, ts, markdown_text: 'x', chunks: [text('y')] });
  assert.equal(await refusal(both), 'cannot_provide_both_markdown_text_and_chunks');
  assert.equal(await refusal(web.chat.appendStream({ channel, ts, markdown_text: 'x' })), 'streaming_mode_mismatch');
});

onStage('C161 outside a direct conversation a stream needs whom it is for, and their own team', async (stage) => {
  const { slack, web, thread } = stage;
  const to = { channel, thread_ts: thread };
  const ada = { recipient_user_id: PEOPLE.ada };
  assert.equal(await refusal(web.chat.startStream(to)), 'missing_recipient_user_id');
  assert.equal(await refusal(web.chat.startStream({ ...to, ...ada })), 'missing_recipient_team_id');
  const wrongTeam = web.chat.startStream({ ...to, ...ada, recipient_team_id: 'T0OTHER' });
  assert.equal(await refusal(wrongTeam), 'user_not_found');
  const dm = slack.people.dm(PEOPLE.ada, 'hi');
  const direct = web.chat.startStream({ channel: dm.channel, thread_ts: dm.ts, chunks: [text('x')] });
  assert.equal(await refusal(direct), 'not refused');
});

onStage('a stream takes 11,000 bytes and not one more', async ({ web, start }) => {
  const ts = await start([text('é'.repeat(5_000))]);
  assert.equal(
    await refusal(web.chat.appendStream({ channel, ts, chunks: [text('x'.repeat(1_001))] })),
    'msg_too_long',
  );
  assert.equal(await refusal(web.chat.appendStream({ channel, ts, chunks: [text('x'.repeat(1_000))] })), 'not refused');
});

onStage('the stop button stops what streams, and the app is told', async ({ slack, web, thread, start }) => {
  assert.throws(() => slack.people.stop(channel, thread, PEOPLE.ada), { code: 'no_stop_button' });
  await web.agents.sessions.setStatus({ channel_id: channel, thread_ts: thread, status: 'processing' });
  const ts = await start([text('one')]);
  slack.people.stop(channel, thread, PEOPLE.ada);
  assert.equal(await refusal(web.chat.appendStream({ channel, ts, chunks: [text('two')] })), 'stopped_by_user');
  const told = slack.deliveries.all.at(-1)?.envelope.payload['event'];
  assert.partialDeepStrictEqual(told, {
    type: 'agent_session_stopped',
    channel,
    thread_ts: thread,
    user: PEOPLE.ada,
    streaming_message_ts: [ts],
  });
});

onStage('the status under a thread goes with a message of the app, or after two minutes', async (stage) => {
  const { slack, clock, web, thread } = stage;
  const status = () => slack.world.statuses.get(`${channel}/${thread}`)?.status;
  const set = () => web.assistant.threads.setStatus({ channel_id: channel, thread_ts: thread, status: 'is thinking' });
  await set();
  assert.equal(status(), 'is thinking');
  await web.chat.postMessage({ channel, thread_ts: thread, text: 'x' });
  assert.equal(status(), undefined);
  await set();
  clock.advance(120_000);
  assert.equal(status(), undefined);
});
