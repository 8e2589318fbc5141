import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WebAPIRateLimitedError } from '@slack/web-api';
import { checkBlocks } from './blocks/check-blocks.ts';
import { countMarkdownBlocks } from './blocks/markdown-blocks.ts';
import { fakeSlack } from './fake-slack.ts';
import { webClient } from './official-clients.ts';
import { refusal } from './refusal.ts';
import { TestClock } from './test-clock.ts';
import { CHANNELS } from './town.ts';

const channel = CHANNELS.ops;
const plain = (text: string) => ({ type: 'plain_text', text });
const actions = (...elements: object[]) => ({ type: 'actions', elements });
const button = (more: object) => ({ type: 'button', action_id: 'a', text: plain('Yes'), ...more });
const options = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => ({ text: plain(`${index}`), value: `${index}`, ...more }));
const select = (count: number, more: object = {}) => ({ type: 'static_select', options: options(count, more) });

/** Each with the largest that Slack takes, and the smallest that it does not. */
const EDGES: readonly [what: string, taken: object, refused: object][] = [
  ['header', { type: 'header', text: plain('x'.repeat(150)) }, { type: 'header', text: plain('x'.repeat(151)) }],
  ['button text', actions(button({ text: plain('x'.repeat(75)) })), actions(button({ text: plain('x'.repeat(76)) }))],
  ['button value', actions(button({ value: 'x'.repeat(2_000) })), actions(button({ value: 'x'.repeat(2_001) }))],
  [
    'option text',
    actions(select(1, { text: plain('x'.repeat(75)) })),
    actions(select(1, { text: plain('x'.repeat(76)) })),
  ],
  ['option value', actions(select(1, { value: 'x'.repeat(75) })), actions(select(1, { value: 'x'.repeat(76) }))],
  ['select', actions(select(100)), actions(select(101))],
  [
    'radio buttons',
    actions({ type: 'radio_buttons', options: options(10) }),
    actions({ type: 'radio_buttons', options: options(11) }),
  ],
  [
    'actions',
    actions(...Array.from({ length: 25 }, (_, i) => button({ action_id: `a${i}` }))),
    actions(...Array.from({ length: 26 }, (_, i) => button({ action_id: `a${i}` }))),
  ],
  ['one action_id', actions(button({})), actions(button({}), button({}))],
  ['a table’s rows', table(100), table(101)],
  ['no empty cell', table(1), { type: 'table', rows: [[{ type: 'raw_text', text: '' }]] }],
  ['markdown blocks', { type: 'markdown', text: '# x\n'.repeat(50) }, { type: 'markdown', text: '# x\n'.repeat(51) }],
];

function table(rows: number): object {
  return { type: 'table', rows: Array.from({ length: rows }, () => [{ type: 'raw_text', text: 'x' }]) };
}

for (const [what, taken, refused] of EDGES) {
  test(`C163 the limit of ${what}`, () => {
    assert.doesNotThrow(() => checkBlocks([{ ...taken }]));
    assert.throws(() => checkBlocks([{ ...refused }]), { code: 'invalid_blocks' });
  });
}

test('Markdown becomes a block for each paragraph, heading, table and fence', () => {
  assert.equal(countMarkdownBlocks('# h\ntext\nmore\n\n| a |\n| - |\n\n```js\n\n# not a heading\n```\nend'), 5);
});

test('an edit takes 4,000 characters of text, Markdown 12,000, and Markdown stands alone', async () => {
  const slack = await fakeSlack();
  const web = webClient(slack.apiUrl, slack.app.botToken);
  try {
    const ts = (await web.chat.postMessage({ channel, text: 'x' })).ts ?? '';
    assert.equal(await refusal(web.chat.update({ channel, ts, text: 'x'.repeat(4_000) })), 'not refused');
    assert.equal(await refusal(web.chat.update({ channel, ts, text: 'x'.repeat(4_001) })), 'msg_too_long');
    assert.equal(await refusal(web.chat.update({ channel, ts, markdown_text: 'x'.repeat(12_000) })), 'not refused');
    assert.equal(await refusal(web.chat.update({ channel, ts, markdown_text: 'x'.repeat(12_001) })), 'msg_too_long');
    const both = { channel, ts, text: 'x', markdown_text: 'x' };
    assert.equal(await refusal(web.chat.update(both)), 'markdown_text_conflict');
  } finally {
    await slack.close();
  }
});

test('past its tier a method is answered 429 until its window is over, and the others go on', async () => {
  const clock = new TestClock();
  const slack = await fakeSlack({ clock });
  const web = webClient(slack.apiUrl, slack.app.botToken);
  try {
    const ts = (await web.chat.postMessage({ channel, text: 'x' })).ts ?? '';
    for (let call = 0; call < 50; call++) await web.chat.update({ channel, ts, text: `${call}` });
    clock.advance(10_500);
    await assert.rejects(web.chat.update({ channel, ts, text: 'late' }), (error) => {
      assert.ok(error instanceof WebAPIRateLimitedError);
      assert.equal(error.retryAfter, 50);
      return true;
    });
    assert.equal(slack.messages(channel)[0]?.text, '49');
    await web.conversations.history({ channel });
    clock.advance(49_500);
    await web.chat.update({ channel, ts, text: 'in time' });
    assert.deepEqual(
      slack.limits.refused.map(({ method }) => method),
      ['chat.update'],
    );
  } finally {
    await slack.close();
  }
});

test('a channel takes one post a second, after a few at once', async () => {
  const clock = new TestClock();
  const slack = await fakeSlack({ clock });
  const web = webClient(slack.apiUrl, slack.app.botToken);
  const say = (to: string): Promise<string> =>
    web.chat.postMessage({ channel: to, text: 'x' }).then(
      () => 'posted',
      (error: unknown) => (error instanceof WebAPIRateLimitedError ? `wait ${error.retryAfter}` : String(error)),
    );
  try {
    const posts: string[] = [];
    for (let call = 0; call < 4; call++) posts.push(await say(channel));
    assert.deepEqual(posts, ['posted', 'posted', 'posted', 'wait 3']);
    assert.equal(await say(CHANNELS.secret), 'posted');
    clock.advance(3_000);
    assert.equal(await say(channel), 'posted');
  } finally {
    await slack.close();
  }
});
