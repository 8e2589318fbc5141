import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FakeSlack, fakeSlack } from './fake-slack.ts';
import { webClient } from './official-clients.ts';
import { refusal } from './refusal.ts';
import { isShape, type Shape, shapeIn } from './shape.ts';
import { CHANNELS, PEOPLE } from './town.ts';

const channel = CHANNELS.ops;

const onSlack = (what: string, body: (slack: FakeSlack) => Promise<void>): void => {
  test(what, async () => {
    const slack = await fakeSlack();
    try {
      await body(slack);
    } finally {
      await slack.close();
    }
  });
};

/** The events that were sent, oldest first. */
const events = (slack: FakeSlack): readonly Shape[] =>
  slack.deliveries.all.map(({ envelope }) => shapeIn(envelope.payload, 'event') ?? {});

const kinds = (slack: FakeSlack): readonly string[] =>
  events(slack)
    .map(({ type, subtype }) => (subtype === undefined ? String(type) : `${type}/${subtype}`))
    .sort();

onSlack('C145 an edit, an unfurl and a counter all come as message_changed', async (slack) => {
  const message = slack.people.say(channel, PEOPLE.ada, 'see https://example.com');
  slack.people.unfurl(message);
  slack.people.touch(message);
  slack.people.edit(message, 'see there');
  assert.deepEqual(kinds(slack), ['message', ...Array.from({ length: 3 }, () => 'message/message_changed')]);
  const [, unfurled = {}, touched = {}, edited = {}] = events(slack);
  const texts = (event: Shape) =>
    [shapeIn(event, 'message'), shapeIn(event, 'previous_message')].map((each) => each?.['text']);
  assert.deepEqual(texts(unfurled), ['see <https://example.com>', 'see <https://example.com>']);
  assert.equal(touched['previous_message'], undefined);
  assert.deepEqual(texts(edited), ['see there', 'see <https://example.com>']);
  assert.ok(isShape(edited['message']) && isShape(edited['message']['edited']));
});

onSlack('an edit that names the app fires app_mention again, with the message’s own ts', async (slack) => {
  const message = slack.people.mention(channel, PEOPLE.ada, 'one');
  slack.people.edit(message, `<@${slack.app.botUserId}> two`);
  const mentions = events(slack).filter(({ type }) => type === 'app_mention');
  assert.deepEqual(
    mentions.map(({ ts, edited }) => [ts, edited !== undefined]),
    [
      [message.ts, false],
      [message.ts, true],
    ],
  );
});

onSlack('C148 C149 what the app posts, uploads and edits comes back to it with its ids', async (slack) => {
  const web = webClient(slack.apiUrl, slack.app.botToken);
  const ts = (await web.chat.postMessage({ channel, text: 'one' })).ts ?? '';
  await web.chat.update({ channel, ts, text: 'two' });
  await web.chat.delete({ channel, ts });
  slack.people.ownSays(channel, '', { files: [{ name: 'plot.png' }] });
  slack.people.ownSays(channel, 'classic', { classic: true });
  slack.people.botSays(channel, 'deployed', { classic: true });
  assert.deepEqual(kinds(slack), [
    'message',
    'message/bot_message',
    'message/bot_message',
    'message/file_share',
    'message/message_changed',
    'message/message_deleted',
  ]);
  const own = events(slack).filter(({ app_id }) => app_id === slack.app.id);
  assert.deepEqual(
    own.map(({ subtype, bot_id }) => [subtype, bot_id]),
    [
      [undefined, slack.app.botId],
      ['file_share', slack.app.botId],
      ['bot_message', slack.app.botId],
    ],
  );
});

onSlack('the app hears only of conversations that it is in, and of events that it asked for', async (slack) => {
  slack.people.mention(CHANNELS.elsewhere, PEOPLE.ada, 'hello?');
  assert.deepEqual(kinds(slack), []);
  slack.app.events.delete('message.channels');
  slack.people.mention(channel, PEOPLE.ada, 'hello?');
  assert.deepEqual(kinds(slack), ['app_mention']);
});

onSlack('addresses: of those who have one, of this workspace, with the scope', async (slack) => {
  const web = webClient(slack.apiUrl, slack.app.botToken);
  const email = async (user: string) => (await web.users.info({ user })).user?.profile?.email;
  assert.deepEqual(await Promise.all([PEOPLE.ada, PEOPLE.bob, PEOPLE.sam].map(email)), [
    'ada@example.com',
    undefined,
    undefined,
  ]);
  slack.app.scopes.delete('users:read.email');
  assert.equal(await email(PEOPLE.ada), undefined);
  slack.app.scopes.delete('channels:history');
  assert.equal(await refusal(web.conversations.history({ channel })), 'missing_scope');
});

onSlack('a stranger’s message in a shared channel tells their team', async (slack) => {
  slack.people.mention(CHANNELS.partners, PEOPLE.sam, 'hi');
  for (const event of events(slack)) assert.partialDeepStrictEqual(event, { user: PEOPLE.sam, user_team: 'T0OTHER' });
  assert.equal(slack.deliveries.all[0]?.envelope.payload['is_ext_shared_channel'], true);
});

onSlack('whom the app calls is told, and a person reads what was meant', async (slack) => {
  const web = webClient(slack.apiUrl, slack.app.botToken);
  await web.chat.postMessage({ channel, text: 'a &lt;!here&gt; b' });
  assert.deepEqual(slack.audit.called, []);
  assert.equal(slack.messages(channel)[0]?.text, 'a <!here> b');
  await web.chat.postMessage({
    channel,
    text: `<!channel> <@${PEOPLE.ada}> <https://evil.example|https://good.example>`,
  });
  assert.deepEqual(slack.audit.called, ['channel', PEOPLE.ada]);
  assert.equal(slack.messages(channel)[1]?.text, '@channel @Ada https://good.example');
});

onSlack('the assistant pane opens a thread of its own in the direct conversation', async (slack) => {
  const pane = slack.people.openPane(PEOPLE.ada);
  slack.people.openTab(PEOPLE.ada);
  const asked = slack.people.dm(PEOPLE.ada, 'hello', { thread: pane.thread });
  assert.equal(asked.channel, pane.channel);
  assert.deepEqual(kinds(slack), [
    'app_home_opened',
    'assistant_thread_started',
    'message',
    'message/assistant_app_thread',
  ]);
});

onSlack('the app lists its direct conversations page by page, with a scope of their own', async (slack) => {
  const client = webClient(slack.apiUrl, slack.app.botToken);
  const people = [PEOPLE.ada, PEOPLE.bob];
  const wanted = people.map((person) => slack.people.dm(person, 'hello').channel);
  const found: (string | undefined)[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.users.conversations({ types: 'im', limit: 1, ...(cursor && { cursor }) });
    found.push(...(page.channels ?? []).map(({ id, is_im, created }) => (is_im && created ? id : undefined)));
    cursor = page.response_metadata?.next_cursor;
  } while (cursor);
  assert.deepEqual(found, wanted);
  slack.app.scopes.delete('im:read');
  assert.equal(await refusal(client.users.conversations({ types: 'im' })), 'missing_scope');
  assert.equal(await refusal(client.users.conversations({ types: 'dm' })), 'invalid_types');
});
