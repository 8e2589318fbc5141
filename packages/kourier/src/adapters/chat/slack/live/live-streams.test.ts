import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHANNELS, PEOPLE } from '../../../../../contract/slack/town.ts';
import { OTHER_TEAM } from '../../../../../contract/slack/world.ts';
import { answer, asked, inTime, onStage, posted, step } from '../fixtures/poster-stage.ts';

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
    assert.deepEqual(
      calls('chat.update').map(({ result }) => result),
      ['ok'],
    );
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
    assert.equal(calls('chat.appendStream').length, 0);
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

test('a stream is found by its own key alone: neither while it runs nor between its end and its edit by another one', () =>
  onStage(async (stage) => {
    const { poster, place, lay, clock, slack } = stage;
    const sinceMs = clock.now() - 1_000;
    const post = lay([asked(), answer('Hello ')]);
    const ref = await posted(stage, post);
    assert.deepEqual(await poster.find(place, 'reply/other/0', sinceMs), { kind: 'found', refs: [] });
    slack.faults.next('chat.update', { effect: 'never', answer: { status: 429, retryAfterSeconds: 5 } });
    assert.equal((await poster.edit(place, ref, lay([asked(), answer('Hello.', false)]))).kind, 'not-done');
    assert.deepEqual(await poster.find(place, 'reply/other/0', sinceMs), { kind: 'found', refs: [] });
    assert.deepEqual(await poster.find(place, post.key, sinceMs), { kind: 'found', refs: [ref] });
    assert.deepEqual(await inTime(stage, poster.edit(place, ref, lay([asked(), answer('Hello.', false)]))), {
      kind: 'edited',
    });
    assert.deepEqual(stage.seen(), ['Hello.']);
  }));
