import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calledIn } from '../../../../contract/slack/people/seen.ts';
import { CHANNELS } from '../../../../contract/slack/town.ts';
import { TEAM } from '../../../../contract/slack/world.ts';
import type { MessageEntry, RequestEntry } from '../../../core/thread/entry.ts';
import { answer, asked, id, inTime, onStage, posted, step, turnId } from './fixtures/poster-stage.ts';

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

test('C163 a message that needed a simpler form is edited in it at once', () =>
  onStage(async (stage) => {
    const { poster, place, lay, slack, calls } = stage;
    const ref = await posted(stage, lay([asked(), answer('One', false)]));
    slack.faults.next('chat.update', { effect: 'never', answer: { error: 'invalid_blocks' } });
    await poster.edit(place, ref, lay([asked(), answer('Two', false)]));
    assert.equal(calls('chat.update').length, 2);
    const isMarkdown = ({ blocks }: Readonly<Record<string, unknown>>): boolean => `${blocks}`.includes('"markdown"');
    slack.faults.next('chat.update', { effect: 'never', answer: { error: 'invalid_blocks' } }, { when: isMarkdown });
    await poster.edit(place, ref, lay([asked(), answer('Three', false)]));
    assert.equal(calls('chat.update').length, 3);
    slack.faults.forget();
    assert.deepEqual(stage.seen(), ['Three']);
  }));

test('a link that is said is not fetched', () =>
  onStage(async (stage) => {
    await posted(stage, stage.lay([asked(), answer('https://example.org/?secret', false)]));
    const [post] = stage.calls('chat.postMessage');
    assert.equal(post?.args['unfurl_links'], 'false');
    assert.equal(post?.args['unfurl_media'], 'false');
  }));
