import assert from 'node:assert/strict';
import { type Case, post } from './contract-case.ts';
import { refusal } from './refusal.ts';

/** What is not done, and how it is said. */
export const REFUSALS: readonly Case[] = [
  [
    'what cannot be done is refused by name',
    async ({ web, channel }) => {
      assert.equal(await refusal(web.chat.postMessage({ channel: 'C0NOWHERE', text: 'x' })), 'channel_not_found');
      assert.equal(await refusal(web.chat.postMessage({ channel, text: '' })), 'no_text');
      assert.equal(await refusal(web.chat.update({ channel, ts: '1.000001', text: 'x' })), 'message_not_found');
      assert.equal(await refusal(web.users.info({ user: 'U0NOBODY' })), 'user_not_found');
    },
  ],
  [
    'a thread that is not there is refused',
    async ({ web, channel }) => {
      assert.equal(await refusal(web.conversations.replies({ channel, ts: '1700000000.000009' })), 'thread_not_found');
      const thread_ts = '1700000000.000009';
      assert.equal(await refusal(web.chat.postMessage({ channel, text: 'x', thread_ts })), 'thread_not_found');
    },
  ],
  [
    'a text of more than 40,000 characters is refused',
    async ({ web, channel }) => {
      await web.chat.postMessage({ channel, text: 'x'.repeat(40_000) });
      assert.equal(await refusal(web.chat.postMessage({ channel, text: 'x'.repeat(40_001) })), 'msg_too_long');
    },
  ],
  [
    'C163 a section of 3,001 characters, 51 blocks and 13,300 characters of Markdown are refused',
    async ({ web, channel }) => {
      const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
      const say = (blocks: { type: string }[]): Promise<string> =>
        refusal(web.chat.postMessage({ channel, text: 'x', blocks }));
      assert.equal(await say([section('x'.repeat(3_001))]), 'invalid_blocks');
      assert.equal(await say(Array.from({ length: 51 }, () => section('x'))), 'invalid_blocks');
      const markdown = { type: 'markdown', text: 'x'.repeat(6_650) };
      assert.equal(await say([markdown, markdown]), 'msg_blocks_too_long');
      assert.equal(await say([section('x'.repeat(3_000))]), 'not refused');
    },
  ],
  [
    'without its scope a method is refused, and says which is missing',
    async ({ narrow, user, channel }) => {
      assert.ok(narrow, 'scopes are not modelled');
      assert.equal(await refusal(narrow.users.info({ user })), 'missing_scope');
      assert.equal(await refusal(narrow.chat.postMessage({ channel, text: 'x' })), 'not refused');
    },
  ],
];

/** Who is there, and what is between them and the app. */
export const PEOPLE: readonly Case[] = [
  [
    'a person has a name and an address',
    async ({ web, user }) => {
      const { profile } = (await web.users.info({ user })).user ?? {};
      assert.ok((profile?.display_name || profile?.real_name || '') !== '');
      assert.match(profile?.email ?? '', /@/);
    },
  ],
  [
    'a direct conversation is the same whenever it is opened',
    async ({ web, user }) => {
      const first = (await web.conversations.open({ users: user })).channel?.id ?? '';
      assert.match(first, /^D/);
      assert.equal((await web.conversations.open({ users: user })).channel?.id, first);
      assert.equal(await refusal(web.chat.postMessage({ channel: first, text: 'x' })), 'not refused');
    },
  ],
  [
    'what is shown to one person is not in the history',
    async ({ web, user, channel }) => {
      await web.chat.postEphemeral({ channel, user, text: 'for you alone' });
      assert.ok(!JSON.stringify(await web.conversations.history({ channel })).includes('for you alone'));
    },
  ],
  [
    'a reaction stands once',
    async (bench) => {
      const timestamp = await post(bench, 'one');
      const reaction = { channel: bench.channel, timestamp, name: 'eyes' };
      await bench.web.reactions.add(reaction);
      assert.equal(await refusal(bench.web.reactions.add(reaction)), 'already_reacted');
      await bench.web.reactions.remove(reaction);
      assert.equal(await refusal(bench.web.reactions.remove(reaction)), 'no_reaction');
    },
  ],
  [
    'a modal opens by a trigger, once, and is updated only by who saw it last',
    async ({ web, trigger }) => {
      assert.ok(trigger, 'views are not modelled');
      const view = { type: 'modal' as const, title: { type: 'plain_text' as const, text: 'Ask' }, blocks: [] };
      const trigger_id = await trigger();
      const opened = (await web.views.open({ trigger_id, view })).view;
      assert.match(opened?.id ?? '', /^V/);
      assert.equal(await refusal(web.views.open({ trigger_id, view })), 'exchanged_trigger_id');
      const view_id = opened?.id ?? '';
      await web.views.update({ view_id, hash: opened?.hash ?? '', view });
      assert.equal(await refusal(web.views.update({ view_id, hash: opened?.hash ?? '', view })), 'hash_conflict');
    },
  ],
];
