import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { WebClient } from '@slack/web-api';
import { refusal } from './refusal.ts';

/** A Slack, whoever made it, with one app in one channel. */
export interface SlackBench {
  /** With every scope. */
  readonly web: WebClient;
  /** Of the same app with `chat:write` alone; absent: scopes are not modelled. */
  readonly narrow?: WebClient;
  /** With no token that Slack knows. */
  readonly stranger: WebClient;
  /** A channel that the app is in. */
  readonly channel: string;
  /** A person with an address. */
  readonly user: string;
  /** What a click would have brought; absent: views are not modelled. */
  trigger?(): Promise<string>;
  close(): Promise<void>;
}

/** What this Slack leaves out, each by the name of its test; a part that is there after all fails. */
export interface Omissions {
  readonly leavesOut?: readonly string[];
}

type Case = readonly [name: string, body: (bench: SlackBench) => Promise<void>];

/** What the product relies on, in the words of the official client: the same script for our fake and for foreign Slacks. */
export function slackContract(
  name: string,
  makeBench: () => Promise<SlackBench>,
  { leavesOut = [] }: Omissions = {},
): void {
  describe(`Slack contract: ${name}`, () => {
    for (const left of leavesOut)
      assert.ok(
        CASES.some(([what]) => what === left),
        `there is no case "${left}"`,
      );
    for (const [what, body] of CASES) {
      const leftOut = leavesOut.includes(what);
      test(leftOut ? `does not: ${what}` : what, async () => {
        const bench = await makeBench();
        try {
          if (leftOut) await assert.rejects(body(bench), 'it does: take it off the list');
          else await body(bench);
        } finally {
          await bench.close();
        }
      });
    }
  });
}

const MARKER = { event_type: 'kourier_delivery', event_payload: { key: 'k1' } };

const post = async (
  { web, channel }: SlackBench,
  text: string,
  more: { thread_ts?: string; metadata?: typeof MARKER } = {},
): Promise<string> => (await web.chat.postMessage({ channel, text, ...more })).ts ?? '';

const POSTS: readonly Case[] = [
  [
    'the app is told who it is',
    async ({ web }) => {
      const told = await web.auth.test();
      assert.match(told.team_id ?? '', /^T/);
      assert.match(told.user_id ?? '', /^U/);
    },
  ],
  ['the app is told its bot', async ({ web }) => assert.match((await web.auth.test()).bot_id ?? '', /^B/)],
  [
    'a token that nobody gave out is refused',
    async ({ stranger }) => assert.equal(await refusal(stranger.auth.test()), 'invalid_auth'),
  ],
  [
    'a message has a ts of seconds and six decimals, and later ones have greater',
    async (bench) => {
      const [first, second] = [await post(bench, 'one'), await post(bench, 'two')];
      assert.match(first, /^\d{10}\.\d{6}$/);
      assert.ok(second > first);
    },
  ],
  [
    'replies come with their root first and then in order, history without them and newest first',
    async (bench) => {
      const root = await post(bench, 'root');
      const replies = [await post(bench, 'a', { thread_ts: root }), await post(bench, 'b', { thread_ts: root })];
      const other = await post(bench, 'other');
      const { channel, web } = bench;
      const thread = await web.conversations.replies({ channel, ts: root });
      assert.deepEqual(
        thread.messages?.map(({ ts }) => ts),
        [root, ...replies],
      );
      const history = await web.conversations.history({ channel, oldest: root, inclusive: true });
      assert.deepEqual(
        history.messages?.map(({ ts }) => ts),
        [other, root],
      );
    },
  ],
  [
    'a root has its own ts as thread_ts once it has a reply, and a reply has the root’s',
    async (bench) => {
      const root = await post(bench, 'root');
      await post(bench, 'a', { thread_ts: root });
      const { messages } = await bench.web.conversations.replies({ channel: bench.channel, ts: root });
      assert.deepEqual(
        messages?.map(({ thread_ts }) => thread_ts),
        [root, root],
      );
    },
  ],
  [
    'pages of a thread bring every reply once',
    async (bench) => {
      const root = await post(bench, 'root');
      const replies: string[] = [];
      for (const text of ['a', 'b', 'c', 'd', 'e']) replies.push(await post(bench, text, { thread_ts: root }));
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const { channel } = bench;
        const page = await bench.web.conversations.replies({
          channel,
          ts: root,
          limit: 2,
          ...(cursor ? { cursor } : {}),
        });
        seen.push(...(page.messages ?? []).map(({ ts }) => ts ?? ''));
        cursor = page.response_metadata?.next_cursor;
      } while (cursor);
      assert.deepEqual(
        seen.filter((ts) => ts !== root),
        replies,
      );
    },
  ],
  [
    'oldest leaves out what is not younger',
    async (bench) => {
      const root = await post(bench, 'root');
      const a = await post(bench, 'a', { thread_ts: root });
      const b = await post(bench, 'b', { thread_ts: root });
      const page = await bench.web.conversations.replies({ channel: bench.channel, ts: root, oldest: a });
      assert.deepEqual(
        (page.messages ?? []).map(({ ts }) => ts).filter((ts) => ts !== root),
        [b],
      );
    },
  ],
  [
    'an edit replaces the text and keeps the ts',
    async (bench) => {
      const { channel, web } = bench;
      const ts = await post(bench, 'one');
      assert.equal((await web.chat.update({ channel, ts, text: 'two' })).ts, ts);
      const { messages } = await web.conversations.history({ channel, latest: ts, inclusive: true, limit: 1 });
      assert.deepEqual(
        messages?.map(({ text, edited }) => [text, edited !== undefined]),
        [['two', true]],
      );
    },
  ],
  [
    'an edit with text and no blocks takes the blocks away',
    async (bench) => {
      const { channel, web } = bench;
      const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'in a block' } }];
      const ts = (await web.chat.postMessage({ channel, text: 'x', blocks })).ts ?? '';
      await web.chat.update({ channel, ts, text: 'two' });
      const { messages } = await web.conversations.history({ channel, latest: ts, inclusive: true, limit: 1 });
      assert.ok(!JSON.stringify(messages).includes('in a block'));
    },
  ],
  [
    'a deleted message is gone, and cannot be edited or deleted',
    async (bench) => {
      const { channel, web } = bench;
      const ts = await post(bench, 'one');
      await web.chat.delete({ channel, ts });
      assert.equal(await refusal(web.chat.update({ channel, ts, text: 'two' })), 'message_not_found');
      assert.equal(await refusal(web.chat.delete({ channel, ts })), 'message_not_found');
      const { messages } = await web.conversations.history({ channel, latest: ts, inclusive: true, limit: 1 });
      assert.ok(messages?.every((message) => message.ts !== ts));
    },
  ],
  [
    '& < > are kept escaped, and not twice',
    async (bench) => {
      const ts = await post(bench, 'a < b && b > c, &lt;');
      const { channel, web } = bench;
      const { messages } = await web.conversations.history({ channel, latest: ts, inclusive: true, limit: 1 });
      assert.equal(messages?.[0]?.text, 'a &lt; b &amp;&amp; b &gt; c, &lt;');
    },
  ],
];

const MARKERS: readonly Case[] = [
  [
    'a marker is read back from a thread and from the channel, by those who ask for it',
    async (bench) => {
      const { channel, web } = bench;
      const root = await post(bench, 'root', { metadata: MARKER });
      await post(bench, 'reply', { thread_ts: root, metadata: MARKER });
      const thread = await web.conversations.replies({ channel, ts: root, include_all_metadata: true });
      assert.deepEqual(
        thread.messages?.map(({ metadata }) => metadata),
        [MARKER, MARKER],
      );
      const history = await web.conversations.history({ channel, limit: 1, include_all_metadata: true });
      assert.deepEqual(history.messages?.[0]?.metadata, MARKER);
    },
  ],
  [
    'without include_all_metadata no marker is shown',
    async (bench) => {
      const root = await post(bench, 'root', { metadata: MARKER });
      const { messages } = await bench.web.conversations.replies({ channel: bench.channel, ts: root });
      assert.equal(messages?.[0]?.metadata?.event_payload, undefined);
    },
  ],
  [
    'a marker outlives an edit',
    async (bench) => {
      const { channel, web } = bench;
      const ts = await post(bench, 'one', { metadata: MARKER });
      await web.chat.update({ channel, ts, text: 'two' });
      const { messages } = await web.conversations.history({ channel, limit: 1, include_all_metadata: true });
      assert.deepEqual(messages?.[0]?.metadata, MARKER);
    },
  ],
];

const REFUSALS: readonly Case[] = [
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

const PEOPLE: readonly Case[] = [
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

const CASES: readonly Case[] = [...POSTS, ...MARKERS, ...REFUSALS, ...PEOPLE];
