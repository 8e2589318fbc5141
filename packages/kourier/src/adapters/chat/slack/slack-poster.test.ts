import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type FakeSlack, fakeSlack } from '../../../../contract/slack/fake-slack.ts';
import { calledIn } from '../../../../contract/slack/people/seen.ts';
import { TestClock } from '../../../../contract/slack/test-clock.ts';
import { CHANNELS, PEOPLE } from '../../../../contract/slack/town.ts';
import { OTHER_TEAM, TEAM } from '../../../../contract/slack/world.ts';
import type { AnswerEntry, Entry, MessageEntry, RequestEntry, StepEntry } from '../../../core/thread/entry.ts';
import type { EntryId, TurnId } from '../../../core/thread/ids.ts';
import type { Post } from '../../../ports/poster.ts';
import { slackCalls } from './calls/slack-calls.ts';
import { placeOf } from './slack-place.ts';
import { SlackPoster } from './slack-poster.ts';

const turnId = 't1' as TurnId;
const id = (name: string): EntryId => name as EntryId;
const asked = (user: string = PEOPLE.ada): MessageEntry => ({
  kind: 'message',
  id: id('m'),
  turnId,
  actor: { id: user },
  text: 'why?',
  at: '2026-11-29T00:00:00Z',
});
const answer = (text: string, streaming = true, name = 'a'): AnswerEntry => ({
  kind: 'answer',
  id: id(name),
  turnId,
  text,
  streaming,
});
const step = (state: StepEntry['state'], more: Partial<StepEntry> = {}): StepEntry => ({
  kind: 'step',
  id: id('s'),
  turnId,
  name: 'get_pods',
  args: { namespace: 'prod' },
  state,
  ...more,
});

interface Stage {
  readonly slack: FakeSlack;
  readonly clock: TestClock;
  readonly poster: SlackPoster;
  readonly place: string;
  readonly thread: string;
  readonly channel: string;
  /** The only post, or the one with that number. */
  lay(entries: readonly Entry[], index?: number): Post;
  /** What a person reads in the thread of us, one a message. */
  seen(): readonly string[];
  calls(method: string): readonly FakeSlack['calls'][number][];
}

async function onStage(
  run: (stage: Stage) => Promise<void>,
  { channel = CHANNELS.ops as string, user = PEOPLE.ada as string } = {},
): Promise<void> {
  const clock = new TestClock();
  const slack = await fakeSlack({ clock });
  try {
    const { ts: thread } = slack.people.mention(channel, user, 'why?');
    const { app } = slack;
    const calls = slackCalls({
      platform: 'slack',
      botToken: app.botToken,
      apiUrl: slack.apiUrl,
      clock,
      observe: () => undefined,
    });
    const identity = { team: TEAM, user: app.botUserId, bot: app.botId, name: 'kourier' };
    const poster = new SlackPoster({
      platform: 'slack',
      calls,
      clock,
      botToken: app.botToken,
      identity: () => Promise.resolve(identity),
    });
    const place = placeOf({ team: TEAM, channel, threadTs: thread });
    await run({
      slack,
      clock,
      poster,
      place,
      thread,
      channel,
      lay(entries, index = 0) {
        const post = poster.layout(entries)[index];
        assert.ok(post);
        return post;
      },
      seen: () =>
        slack
          .messages(channel, thread)
          .filter(({ ours }) => ours)
          .map(({ text }) => text),
      calls: (method) => slack.calls.filter((call) => call.method === method),
    });
    assert.equal(slack.faults.waiting, 0, 'every fault struck');
    for (const { message } of slack.messages(channel, thread).filter(({ ours }) => ours))
      assert.deepEqual(calledIn(message), []);
  } finally {
    await slack.close();
  }
}

async function posted(stage: Stage, post: Post): Promise<string> {
  const { poster, place } = stage;
  const outcome = await inTime(stage, poster.post(place, post));
  assert.equal(outcome.kind, 'posted', JSON.stringify(outcome));
  return outcome.kind === 'posted' ? outcome.ref : '';
}

/** Moves time whenever nothing but time is waited for: no call of ours is under way, for such a one ends in ten seconds. */
async function inTime<Value>({ clock }: Stage, work: Promise<Value>): Promise<Value> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await setImmediate();
    const now = clock.now();
    const [first] = clock.deadlines;
    if (first !== undefined && !clock.deadlines.includes(now + 10_000)) clock.advance(first - now);
  }
  return done;
}

const parsed = (value: unknown): unknown => (typeof value === 'string' ? JSON.parse(value) : value);

test('C157 C158 an answer streams in one message, ends with nothing added to it, and is then edited to the whole', () =>
  onStage(async (stage) => {
    const { slack, clock, poster, place, lay, seen, calls } = stage;
    const ref = await posted(stage, lay([asked(), answer('Hel')]));
    assert.equal(slack.messages(stage.channel, stage.thread).at(-1)?.streaming, true);
    clock.advance(1_000);
    assert.deepEqual(await poster.edit(place, ref, lay([asked(), answer('Hello, a < b')])), { kind: 'edited' });
    assert.deepEqual(seen(), ['Hello, a &lt; b']);
    assert.deepEqual(await poster.edit(place, ref, lay([asked(), answer('Hello, a < b', false)])), { kind: 'edited' });
    assert.equal(seen().length, 1);
    assert.equal(seen()[0]?.replaceAll('&lt;', '<'), 'Hello, a < b');
    const [stop] = calls('chat.stopStream');
    assert.equal(stop?.args['chunks'], undefined);
    assert.equal(stop?.args['markdown_text'], undefined);
    assert.equal(calls('chat.postMessage').length, 0);
  }));

test('C161 a stream names the person who asked, and their own workspace', () =>
  onStage(
    async (stage) => {
      await posted(stage, stage.lay([asked(PEOPLE.sam), answer('Hello ')]));
      const [start] = stage.calls('chat.startStream');
      assert.equal(start?.args['recipient_user_id'], PEOPLE.sam);
      assert.equal(start?.args['recipient_team_id'], OTHER_TEAM);
    },
    { channel: CHANNELS.partners, user: PEOPLE.sam },
  ));

test('C161 an alert has nobody who asked: its answer is posted and edited', () =>
  onStage(async (stage) => {
    const ref = await posted(stage, stage.lay([answer('Looking ')]));
    assert.equal(stage.calls('chat.startStream').length, 0);
    await stage.poster.edit(stage.place, ref, stage.lay([answer('Looking at it.', false)]));
    assert.deepEqual(stage.seen(), ['Looking at it.']);
  }));

test('what keeps a stream from beginning keeps no answer back', async () => {
  for (const error of ['unknown_method', 'missing_recipient_team_id', 'internal_quota']) {
    await onStage(async (stage) => {
      stage.slack.faults.next('chat.startStream', { effect: 'never', answer: { error } });
      await posted(stage, stage.lay([asked(), answer('Hello ')]));
      assert.deepEqual(stage.seen(), ['Hello ']);
      if (error !== 'unknown_method') return;
      await posted(stage, stage.lay([asked(), answer('Again ', true, 'b')]));
      assert.equal(stage.calls('chat.startStream').length, 1, 'not tried again where there are none');
    });
  }
});

test('C155 a stream that Slack ended goes on as edits of the same message, without loss or repeat', () =>
  onStage(async (stage) => {
    const { clock, poster, place, lay, seen, slack } = stage;
    const ref = await posted(stage, lay([asked(), answer('One ')]));
    slack.faults.next('chat.appendStream', { effect: 'never', answer: { error: 'message_not_in_streaming_state' } });
    clock.advance(2_000);
    assert.deepEqual(await poster.edit(place, ref, lay([asked(), answer('One two ')])), { kind: 'edited' });
    assert.deepEqual(seen(), ['One two ']);
    assert.deepEqual(await poster.edit(place, ref, lay([asked(), answer('One two three', false)])), { kind: 'edited' });
    assert.deepEqual(seen(), ['One two three']);
  }));

test('C155 a stream is ended before Slack ends it, and one that died is put right', () =>
  onStage(async (stage) => {
    const { clock, poster, place, lay, seen, calls } = stage;
    const ref = await posted(stage, lay([asked(), answer('One ')]));
    clock.advance(240_000);
    assert.deepEqual(await poster.edit(place, ref, lay([asked(), answer('One two ')])), { kind: 'edited' });
    assert.equal(calls('chat.stopStream').length, 1);
    assert.deepEqual(seen(), ['One two ']);
    const second = await posted(stage, lay([asked(), answer('Three ', true, 'b')]));
    clock.advance(301_000);
    assert.deepEqual(await poster.edit(place, second, lay([asked(), answer('Three four', false, 'b')])), {
      kind: 'edited',
    });
    assert.deepEqual(seen(), ['One two ', 'Three four']);
  }));

test('an append of unknown outcome is never sent again', () =>
  onStage(async (stage) => {
    const { clock, poster, place, lay, seen, slack, calls } = stage;
    const ref = await posted(stage, lay([asked(), answer('One ')]));
    slack.faults.next('chat.appendStream', { answer: 'dropped' });
    clock.advance(2_000);
    const outcome = await poster.edit(place, ref, lay([asked(), answer('One two ')]));
    assert.equal(outcome.kind, 'unknown');
    assert.deepEqual(await poster.edit(place, ref, lay([asked(), answer('One two three ')])), { kind: 'edited' });
    assert.equal(calls('chat.appendStream').length, 1);
    assert.deepEqual(seen(), ['One two three ']);
  }));

test('the stop button of a person ends the stream, and the end of the answer is shown all the same', () =>
  onStage(async (stage) => {
    const { clock, poster, place, lay, seen, slack } = stage;
    const ref = await posted(stage, lay([asked(), answer('One ')]));
    slack.faults.next('chat.appendStream', { effect: 'never', answer: { error: 'stopped_by_user' } });
    clock.advance(2_000);
    await poster.edit(place, ref, lay([asked(), answer('One two ')]));
    await poster.edit(place, ref, lay([asked(), answer('One two, ended', false)]));
    assert.deepEqual(seen(), ['One two, ended']);
  }));

test('a step streams as a card whose details and output come once, and stays a card', () =>
  onStage(async (stage) => {
    const { clock, poster, place, lay, calls, slack } = stage;
    const ref = await posted(stage, lay([asked(), answer('Let me look. ', false), step('running')]));
    clock.advance(2_000);
    await poster.edit(
      place,
      ref,
      lay([asked(), answer('Let me look. ', false), step('running', { name: 'get_pods now' })]),
    );
    const [append] = calls('chat.appendStream');
    assert.deepEqual(parsed(append?.args['chunks']), [
      { type: 'task_update', id: 's', title: 'get_pods now', status: 'in_progress' },
    ]);
    await poster.edit(place, ref, lay([asked(), answer('Let me look. ', false), step('done', { result: '3 pods' })]));
    const blocks = slack.messages(stage.channel, stage.thread).at(-1)?.message.blocks ?? [];
    assert.deepEqual(
      blocks.map(({ type }) => type),
      ['markdown', 'task_card'],
    );
    assert.equal(blocks[1]?.['status'], 'complete');
  }));

test('a message is found by its key, and a key by nobody: the marker does not tell it', () =>
  onStage(async (stage) => {
    const { clock, poster, place, lay, slack } = stage;
    const post = lay([asked(), answer('Done.', false)]);
    slack.faults.next('chat.postMessage', { answer: 'dropped' });
    const sinceMs = clock.now();
    assert.equal((await poster.post(place, post)).kind, 'unknown');
    const found = await poster.find(place, post.key, sinceMs - 1_000);
    assert.ok(found.kind === 'found' && found.refs.length === 1);
    assert.deepEqual(await poster.find(place, 'reply/other/0', sinceMs - 1_000), { kind: 'found', refs: [] });
    const metadata = JSON.stringify(stage.calls('chat.postMessage')[0]?.args['metadata']);
    assert.ok(!metadata.includes(post.key));
    const [ref = ''] = found.kind === 'found' ? found.refs : [];
    await poster.edit(place, ref, lay([asked(), answer('Done!', false)]));
    assert.deepEqual(await poster.find(place, post.key, sinceMs - 1_000), found, 'also after it was edited');
  }));

test('a stream whose beginning is not known is found, taken over and ended', () =>
  onStage(async (stage) => {
    const { clock, poster, place, lay, slack, seen } = stage;
    slack.faults.next('chat.startStream', { answer: 'dropped' });
    const sinceMs = clock.now() - 1_000;
    const post = lay([asked(), answer('Hello ')]);
    assert.equal((await poster.post(place, post)).kind, 'unknown');
    const found = await poster.find(place, post.key, sinceMs);
    assert.ok(found.kind === 'found' && found.refs.length === 1);
    const [ref = ''] = found.kind === 'found' ? found.refs : [];
    assert.deepEqual(await poster.edit(place, ref, lay([asked(), answer('Hello there.', false)])), { kind: 'edited' });
    assert.deepEqual(seen(), ['Hello there.']);
    const other = lay([asked(), answer('Other', false, 'z')]);
    assert.deepEqual(await poster.find(place, other.key, sinceMs), { kind: 'found', refs: [] });
  }));

test('a time-out is an unknown outcome; a limit is none, and says when', () =>
  onStage(async (stage) => {
    const { clock, poster, place, lay, slack } = stage;
    const post = lay([asked(), answer('Done.', false)]);
    slack.faults.next('chat.postMessage', { answer: 'none' });
    const late = poster.post(place, post);
    await slack.until(() => stage.calls('chat.postMessage').length === 1);
    clock.advance(10_000);
    assert.equal((await late).kind, 'unknown');
    slack.faults.next('chat.postMessage', { effect: 'never', answer: { status: 429, retryAfterSeconds: 45 } });
    const limited = await poster.post(place, post);
    assert.ok(limited.kind === 'not-done' && limited.retryAfterMs === 45_000);
    const before = slack.calls.length;
    const held = await poster.post(place, post);
    assert.ok(held.kind === 'not-done' && held.retryAfterMs === 45_000);
    assert.equal(slack.calls.length, before, 'nothing is sent meanwhile');
    assert.equal((await poster.find(place, post.key, clock.now())).kind, 'found', 'other methods go on');
  }));

test('C163 what Slack does not take is said more simply, and never twice the same', () =>
  onStage(async (stage) => {
    const { poster, place, lay, slack, calls, seen } = stage;
    const errors = ['invalid_blocks', 'msg_blocks_too_long', 'msg_too_long'];
    for (const error of errors) slack.faults.next('chat.postMessage', { effect: 'never', answer: { error } });
    await posted(stage, lay([asked(), answer('# All\n\n**a < b** & c <!channel>', false)]));
    const sent = calls('chat.postMessage').map(({ args }) => JSON.stringify([args['text'], args['blocks']]));
    assert.equal(new Set(sent).size, 4);
    assert.match(seen()[0]?.replaceAll('\u2060', '') ?? '', /a < b.*& c <!channel>/s);
    slack.faults.next('chat.postMessage', { effect: 'never', answer: { error: 'invalid_blocks' } }, { times: 4 });
    assert.deepEqual(await inTime(stage, poster.post(place, lay([asked(), answer('x', false)]))), {
      kind: 'refused',
      why: 'invalid_blocks',
    });
  }));

test('C163 an answer of any size is taken: no call is refused', () =>
  onStage(async (stage) => {
    const { poster, place, clock, slack, channel, thread } = stage;
    const text = `${'# Title\n'.repeat(120)}${'word '.repeat(4_000)}\n\n${'ü'.repeat(9_000)}\n\n|a|b|\n|-|-|\n${'|1|2|\n'.repeat(900)}`;
    const steps = Array.from({ length: 60 }, (_, index) =>
      step('done', { id: id(`s${index}`), result: 'x'.repeat(900) }),
    );
    const posts = poster.layout([asked(), answer(text, false), ...steps]);
    assert.ok(posts.length >= 8, `${posts.length} messages`);
    assert.equal(new Set(posts.map(({ key }) => key)).size, posts.length);
    for (const post of posts) {
      clock.advance(2_000);
      await posted(stage, post);
      const [last] = slack.messages(channel, thread).slice(-1);
      assert.deepEqual(await inTime(stage, poster.edit(place, `${channel}/${last?.ts}`, post)), { kind: 'edited' });
    }
    assert.deepEqual([...new Set(slack.calls.map(({ result }) => result))], ['ok']);
  }));

test('who deleted a message is not overruled, and what cannot be reached says so', () =>
  onStage(async (stage) => {
    const { poster, place, lay, clock, slack } = stage;
    const post = lay([asked(), answer('Done.', false)]);
    const ref = await posted(stage, post);
    assert.deepEqual(await poster.remove(place, ref), { kind: 'edited' });
    assert.deepEqual(await poster.remove(place, ref), { kind: 'gone' });
    assert.deepEqual(await poster.edit(place, ref, post), { kind: 'gone' });
    clock.advance(5_000);
    for (const [error, kind] of [
      ['is_archived', 'refused'],
      ['not_in_channel', 'not-done'],
      ['fatal_error', 'unknown'],
    ] as const) {
      slack.faults.next('chat.postMessage', { effect: 'never', answer: { error } });
      assert.equal((await inTime(stage, poster.post(place, post))).kind, kind, error);
    }
    slack.faults.next('chat.postMessage', { answer: { status: 503 } });
    assert.equal((await inTime(stage, poster.post(place, post))).kind, 'unknown');
    assert.equal((await poster.post('elsewhere', post)).kind, 'refused');
  }));

test('a thread that began elsewhere gets its first message in the channel, and is found there', () =>
  onStage(async (stage) => {
    const { poster, slack, clock } = stage;
    const alert: MessageEntry = {
      kind: 'message',
      id: id('alert'),
      turnId,
      text: 'Disk full <!channel>',
      at: '2026-11-29T00:00:00Z',
    };
    const channel = `${TEAM}/${CHANNELS.ops}`;
    const sinceMs = clock.now();
    const post = stage.lay([alert]);
    const opened = await poster.open(channel, post);
    assert.ok(opened.kind === 'posted' && opened.place !== undefined);
    assert.equal(opened.place, `${TEAM}/${opened.ref}`);
    const found = await poster.find(channel, post.key, sinceMs - 1_000);
    assert.deepEqual(found, { kind: 'found', refs: [opened.ref] });
    const root = slack.messages(CHANNELS.ops).at(-1);
    assert.equal(root?.text.replaceAll('\u2060', ''), 'Disk full <!channel>');
    assert.deepEqual(root === undefined ? undefined : calledIn(root.message), []);
    assert.equal((await poster.post(opened.place, stage.lay([alert, answer('Cleaned.', false)], 1))).kind, 'posted');
  }));

test('an approval is shown with its buttons, and without them once it is decided', () =>
  onStage(async (stage) => {
    const { poster, place, lay, slack, channel, thread } = stage;
    const request: RequestEntry = {
      kind: 'request',
      id: id('r'),
      turnId,
      type: 'tool-approval',
      state: 'open',
      heading: 'May I?',
      questions: [],
      tools: [{ id: 'x', name: 'delete_pod', args: { pod: '``` Approved <!channel>' } }],
      until: '2026-11-30T00:00:00Z',
    };
    const ref = await posted(stage, lay([asked(), request]));
    const seen = () => slack.messages(channel, thread).at(-1);
    assert.deepEqual(seen()?.buttons, [
      { actionId: 'kourier.approve', label: 'Approve', value: 'r' },
      { actionId: 'kourier.deny', label: 'Deny', value: 'r' },
    ]);
    assert.match(seen()?.text ?? '', /"pod": "``` Approved <!channel>"/);
    const decided: RequestEntry = {
      ...request,
      state: 'answered',
      answer: { actor: { id: 'U0ADA', name: 'Ada' }, answers: [], approvals: [{ id: 'x', approved: true }] },
    };
    assert.deepEqual(await poster.edit(place, ref, lay([asked(), decided])), { kind: 'edited' });
    assert.deepEqual(seen()?.buttons, []);
    assert.match(seen()?.text ?? '', /delete_pod[\s\S]*Approved by Ada\./);
  }));

test('C173 a thousand edits of live text come to few calls', () =>
  onStage(async (stage) => {
    const { poster, place, lay, clock, calls, seen } = stage;
    const ref = await posted(stage, lay([answer('word ')]));
    for (let edit = 2; edit <= 1_000; edit++) {
      const done = await inTime(stage, poster.edit(place, ref, lay([answer('word '.repeat(edit))])));
      assert.deepEqual(done, { kind: 'edited' });
      clock.advance(500);
    }
    const edits = calls('chat.update').length;
    assert.ok(edits <= 200, `${edits} edits`);
    await inTime(stage, poster.edit(place, ref, lay([answer('The end.', false)])));
    assert.deepEqual(seen(), ['The end.']);
  }));
