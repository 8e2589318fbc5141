import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Json } from '../json.ts';
import { readEnvelope, readEvent } from './read-event.ts';

const reader = { self: { team: 'T1', user: 'U0BOT', bot: 'B0BOT', name: 'kourier' } };
const message = (more: Json = {}): Json => ({
  ...{ type: 'message', channel: 'C1', channel_type: 'channel', user: 'U1', text: 'hi', ts: '1700000000.000100' },
  ...more,
});
const read = (event: Json) => readEvent(event, reader, 'A0APP');

describe('an event of Slack', () => {
  it('C160 a message at the top stands in the thread that it begins', () => {
    for (const thread_ts of [undefined, '', '1700000000.000100']) {
      const heard = read(message({ channel: 'D1', channel_type: 'im', thread_ts }));
      assert.deepEqual(heard, {
        ...{ kind: 'message', channel: 'D1', direct: true, mention: false, user: 'U1', text: 'hi' },
        ...{ ts: '1700000000.000100', threadTs: '1700000000.000100' },
      });
    }
  });

  for (const subtype of ['file_share', 'thread_broadcast', 'me_message']) {
    it(`of the subtype ${subtype} is still what a person said`, () => {
      assert.equal(read(message({ subtype })).kind, 'message');
    });
  }

  for (const [why, event] of [
    ['C145 a change', message({ subtype: 'message_changed', message: {}, user: undefined })],
    ['C145 a change without what was before', message({ subtype: 'message_changed', hidden: true })],
    ['a hidden one', message({ hidden: true })],
    ['a delete', message({ subtype: 'message_deleted' })],
    ['somebody joining', message({ subtype: 'channel_join' })],
    ['an edit that fires the mention again', message({ type: 'app_mention', edited: { user: 'U1' } })],
    ['C148 our own upload', message({ subtype: 'file_share', bot_id: 'B0BOT', user: undefined, files: [{}] })],
    ['C148 our own upload, by the app alone', message({ subtype: 'file_share', app_id: 'A0APP', user: undefined })],
    ['C149 our own bot_message', message({ subtype: 'bot_message', bot_profile: { app_id: 'A0APP' } })],
    ['C149 our own message as a user', message({ user: 'U0BOT' })],
    ["another bot's that does not say which", message({ bot_id: 'B9/../U1' })],
    ["another app's that does not say which bot", message({ app_id: 'A9' })],
    ['the subtype of bots, and no bot', message({ subtype: 'bot_message' })],
    ['Slackbot', message({ user: 'USLACKBOT' })],
    ['a message of nobody', message({ user: undefined })],
    ['a message without a ts', message({ ts: undefined })],
    ['a channel that is a path', message({ channel: 'C1/../D2' })],
    ['a user that is no id', message({ user: { id: 'U1' } })],
    ['the assistant pane', { type: 'assistant_thread_started', assistant_thread: { channel_id: 'D1' } }],
    ['its context', { type: 'assistant_thread_context_changed' }],
    ['the home of the app', { type: 'app_home_opened', tab: 'messages', user: 'U1' }],
    ['an event without a type', {}],
    ['a stop of nothing', { type: 'agent_session_stopped', channel: 'C1', user: 'U1' }],
  ] as const) {
    it(`starts nothing when it is ${why}`, () => assert.equal(read(event).kind, 'ignored'));
  }

  it("another bot's says which one, in each way: what comes of it is not for the event to say", () => {
    for (const [event, user] of [
      [message({ bot_id: 'B9', bot_profile: { name: 'De]ploys' } }), 'U1'],
      [message({ bot_id: 'B9', subtype: 'bot_message', user: undefined, username: 'De]ploys' }), 'B9'],
    ] as const) {
      const heard = read(event);
      assert.ok(heard.kind === 'message');
      assert.deepEqual([heard.user, heard.bot], [user, { id: 'B9', name: 'De ploys' }]);
    }
  });

  it('C148 C149 is known as our own before anything else is looked at', () => {
    for (const own of [{ bot_id: 'B0BOT' }, { app_id: 'A0APP' }, { bot_profile: { id: 'B0BOT' } }, { user: 'U0BOT' }]) {
      const event = message({ subtype: 'file_share', user: undefined, ...own });
      assert.deepEqual(read(event), { kind: 'ignored', why: "the app's own message" });
    }
  });

  it('a mention without a word is what it was, and a file without one is named', () => {
    const text = (event: Json) => {
      const heard = read(event);
      return heard.kind === 'message' ? heard.text : heard.kind;
    };
    assert.equal(text(message({ text: '<@U0BOT>' })), '@kourier');
    const files = Array.from({ length: 12 }, (_, number) => ({ name: `f${number}` }));
    assert.match(
      text(message({ text: '', files })),
      /^\[Attached, but not forwarded to you: f0, .*, f9, and 2 more\]$/,
    );
    assert.equal(
      text(message({ attachments: [{ is_share: true }] })),
      'hi\n\n[Shared with it, but not forwarded to you: a message]',
    );
  });

  it('a stop says which press it was; a revoked token and a removed app say so', () => {
    const stop = {
      type: 'agent_session_stopped',
      channel: 'C1',
      thread_ts: '1700000000.000100',
      user: 'U1',
      event_ts: '1.1',
    };
    assert.deepEqual(read(stop), {
      ...{ kind: 'stop-pressed', channel: 'C1', threadTs: '1700000000.000100', user: 'U1' },
      press: 'C1/1700000000.000100/1.1',
    });
    for (const type of ['tokens_revoked', 'app_uninstalled']) assert.equal(read({ type }).kind, 'revoked');
  });
});

describe('an envelope of Slack', () => {
  it('is a challenge, an event for a workspace, or nothing', () => {
    const of = (payload: Json) => readEnvelope(payload, reader);
    assert.deepEqual(of({ type: 'url_verification', challenge: 'c' }), { kind: 'challenge', challenge: 'c' });
    const event = of({
      type: 'event_callback',
      team_id: 'T2',
      authorizations: [{ team_id: 'T1' }],
      event: message({ app_id: 'A9' }),
    });
    assert.equal(event.kind === 'event' && event.heard.kind, 'ignored');
    assert.deepEqual(event.kind === 'event' && [event.teams, event.messageTs], [
      ['T2', 'T1'],
      { channel: 'C1', ts: '1700000000.000100' },
    ]);
    for (const payload of [{}, { type: 'event_callback' }, { type: 'app_rate_limited' }])
      assert.equal(of(payload).kind, 'ignored');
  });
});
