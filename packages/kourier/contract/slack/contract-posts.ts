import assert from 'node:assert/strict';
import { type Case, MARKER, post } from './contract-case.ts';
import { refusal } from './refusal.ts';

/** Posting, reading back, editing, and the markers that find a post again. */
export const POSTS: readonly Case[] = [
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

export const MARKERS: readonly Case[] = [
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
