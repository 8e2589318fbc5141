import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { TestClock } from '../../../../contract/slack/test-clock.ts';
import { CHANNELS, PEOPLE } from '../../../../contract/slack/town.ts';
import { LIMITS } from '../../../core/limits.ts';
import { type AppOnSlack, type AppOptions, appOnSlack } from './fixtures/app-on-slack.ts';

const { ops, elsewhere, secret, partners } = CHANNELS;
const { ada, bob, sam } = PEOPLE;
const BOTH = ['socket', 'http'] as const;

async function up(t: TestContext, options: AppOptions = {}): Promise<AppOnSlack> {
  const app = await appOnSlack(t, options);
  await app.ready();
  return app;
}

/** Every delivery of a message is over. */
const delivered = ({ slack }: AppOnSlack, ts: string, count: number) =>
  slack.until(() => {
    const all = slack.deliveries.of(ts);
    return (all.length >= count && all.every(({ state }) => state === 'acknowledged')) || undefined;
  });

/** Time passes at Slack until it has brought a message that was not acknowledged again, and it was. */
async function comesAgain({ slack }: AppOnSlack, ts: string): Promise<void> {
  const clock = slack.clock as TestClock;
  const [delivery] = slack.deliveries.of(ts);
  clock.advance(3_000);
  for (const waitMs of [60_000, 300_000]) {
    await slack.until(() => delivery?.state === 'acknowledged' || delivery?.state === 'waiting' || undefined);
    if (delivery?.state === 'waiting') clock.advance(waitMs);
  }
  await slack.until(() => delivery?.state === 'acknowledged' || undefined);
  assert.ok((delivery?.attempts.length ?? 0) > 1);
}

for (const mode of BOTH) {
  describe(`Slack by ${mode}`, () => {
    it('C143 a mention that comes as two events is one turn', async (t) => {
      const app = await up(t, { mode });
      const { ts, clientMsgId } = app.slack.people.mention(ops, ada, 'restart & check <it>');
      await delivered(app, ts, 2);
      assert.deepEqual(app.door.turns, [
        {
          binding: 'ops',
          text: 'restart & check <it>',
          actor: { id: ada, name: 'Ada', email: 'ada@example.com' },
          key: [`slack/B0KOURIER/${ops}/${ts}`, `slack/B0KOURIER/${ops}/${ada}/${clientMsgId}`],
          place: `T0ACME/${ops}/${ts}`,
        },
      ]);
      assert.equal(app.slack.deliveries.of(ts).length, 2);
    });

    it('C146 the same event again, as a retry or in a new envelope, starts nothing new', async (t) => {
      const app = await up(t, { mode });
      const { ts } = app.slack.people.mention(ops, ada, 'once');
      await delivered(app, ts, 2);
      const [first] = app.slack.deliveries.of(ts);
      assert.ok(first);
      app.slack.deliveries.redeliver(first.envelope.payload);
      await delivered(app, ts, 3);
      assert.equal(app.door.turns.length, 1);
    });

    it('C151 nothing is acknowledged before it is durable, and what is not comes again', async (t) => {
      const app = await up(t, { mode });
      app.door.held = new Promise(() => {});
      const { ts } = app.slack.people.dm(ada, 'hold');
      await app.slack.until(() => app.door.opened > 0);
      assert.equal(app.slack.deliveries.of(ts)[0]?.state, 'under-way');
      // The process dies with the message in its hands; another one comes up on the same store.
      await app.stop();
      const next = await up(t, { mode, on: app.slack, store: app.store });
      await comesAgain(next, ts);
      assert.deepEqual([app.door.turns.length, next.door.turns.length], [0, 1]);
    });

    it('a courier that stops takes nothing, and Slack brings it again', async (t) => {
      const app = await up(t, { mode });
      app.door.stopping = true;
      const { ts } = app.slack.people.dm(ada, 'late');
      await app.slack.until(() => app.door.opened > 0);
      app.door.stopping = false;
      await comesAgain(app, ts);
      assert.equal(app.door.turns.length, 1);
    });

    it('a stopped thread is told to the courier once, however often it comes', async (t) => {
      const app = await up(t, { mode });
      const { ts } = app.slack.people.mention(ops, ada, 'long');
      await delivered(app, ts, 2);
      const event = {
        type: 'agent_session_stopped',
        channel: ops,
        thread_ts: ts,
        user: bob,
        event_ts: '1700000009.000100',
      };
      const one = app.slack.deliveries.send(event);
      await app.slack.until(() => one.state === 'acknowledged');
      const two = app.slack.deliveries.send(event);
      await app.slack.until(() => two.state === 'acknowledged');
      const thread = await app.store.threadAt('ops', `T0ACME/${ops}/${ts}`);
      assert.deepEqual(app.door.stops, [{ thread, by: bob }]);
    });
  });
}

describe('messages on Slack', () => {
  it('C160 C154 a top-level message begins its own thread, a reply goes to the thread that it stands in', async (t) => {
    const app = await up(t);
    const one = app.slack.people.dm(ada, 'one');
    const two = app.slack.people.dm(ada, 'two');
    await delivered(app, two.ts, 1);
    await delivered(app, one.ts, 1);
    const reply = app.slack.people.dm(ada, 'more of one', { thread: one.ts });
    await delivered(app, reply.ts, 1);
    const places = app.door.turns.map(({ text, place }) => [text, place?.split('/')[2]]);
    assert.deepEqual(new Set(places.map(String)), new Set([`one,${one.ts}`, `two,${two.ts}`, `more of one,${one.ts}`]));
  });

  it('a reply without a mention is context of the next turn, and nothing where there is no thread of ours', async (t) => {
    const app = await up(t);
    const root = app.slack.people.mention(ops, ada, 'look');
    await delivered(app, root.ts, 2);
    const reply = app.slack.people.say(ops, bob, 'it is the disk', { thread: root.ts });
    const other = app.slack.people.say(ops, ada, 'lunch?');
    const chat = app.slack.people.say(ops, bob, 'yes', { thread: other.ts });
    for (const { ts } of [reply, other, chat]) await delivered(app, ts, 1);
    assert.deepEqual(
      app.door.asides.map(({ text, actor, mention }) => ({ text, actor, mention })),
      [{ text: 'it is the disk', actor: { id: bob, name: 'Bob Ross' }, mention: false }],
    );
    assert.equal(app.door.turns.length, 1);
  });

  it('C145 C148 C149 edits, unfurls, deletes, own and other bots start nothing', async (t) => {
    const app = await up(t);
    const { people, deliveries } = app.slack;
    const message = people.mention(ops, ada, 'once');
    await delivered(app, message.ts, 2);
    const { opened } = app.door;
    people.edit(message, '<@U0KOURIER> twice');
    people.unfurl(message);
    people.touch(message);
    people.botSays(ops, '<@U0KOURIER> loop');
    people.botSays(ops, '<@U0KOURIER> loop', { classic: true });
    people.ownSays(ops, '<@U0KOURIER> me', { files: [{ name: 'a.txt' }] });
    people.ownSays(ops, '<@U0KOURIER> me', { classic: true });
    people.remove(message);
    await app.slack.until(() => deliveries.all.every(({ state }) => state === 'acknowledged') || undefined);
    assert.ok(deliveries.all.length >= 10);
    assert.equal(app.door.opened, opened);
    assert.deepEqual(app.door.asides, []);
  });

  it('one gesture that Slack brings as two messages is one turn', async (t) => {
    const app = await up(t);
    const { ts } = app.slack.people.dm(ada, 'once');
    await delivered(app, ts, 1);
    const payload = app.slack.deliveries.of(ts)[0]?.envelope.payload;
    const event = { ...(payload?.['event'] as object), ts: '1700000007.000100', event_ts: '1700000007.000100' };
    const other = app.slack.deliveries.redeliver({ ...payload, event });
    await app.slack.until(() => other.state === 'acknowledged' || undefined);
    assert.equal(app.door.turns.length, 1);
  });

  it('of two messages in a thread the first stays first, whoever has to be asked who they are', async (t) => {
    const app = await up(t);
    const root = app.slack.people.mention(ops, ada, 'root');
    await delivered(app, root.ts, 2);
    app.slack.faults.next('users.info', { answer: 'none' });
    const one = app.slack.people.mention(ops, bob, 'one', { thread: root.ts });
    const two = app.slack.people.mention(ops, ada, 'two', { thread: root.ts });
    await app.slack.until(() => app.slack.faults.waiting === 0 || undefined);
    assert.equal(app.door.turns.length, 1);
    app.clock.advance(1_200);
    await delivered(app, one.ts, 2);
    await delivered(app, two.ts, 2);
    assert.deepEqual(
      app.door.turns.map(({ text, actor }) => [text, actor?.name]),
      [
        ['root', 'Ada'],
        ['one', undefined],
        ['two', 'Ada'],
      ],
    );
  });

  it('files are named and not forwarded', async (t) => {
    const app = await up(t);
    const { ts } = app.slack.people.dm(ada, 'see this', { files: [{ name: 'trace.log' }, { name: 'a]\nb' }] });
    await delivered(app, ts, 1);
    assert.equal(app.door.turns[0]?.text, 'see this\n\n[Attached, but not forwarded to you: trace.log, a b]');
  });

  it('somebody of another workspace has a name and no address', async (t) => {
    const app = await up(t);
    const { ts } = app.slack.people.mention(partners, sam, 'hello');
    await delivered(app, ts, 2);
    assert.deepEqual(app.door.turns[0]?.actor, { id: sam, name: 'Sam' });
  });

  it('who mentions the app where nobody answers is told so, alone and once', async (t) => {
    const app = await up(t, {
      bindings: [{ name: 'ops', chat: { platform: 'slack', channels: [], directMessages: false } }],
    });
    const here = app.slack.people.mention(secret, ada, 'anybody?');
    const direct = app.slack.people.dm(ada, 'anybody?');
    await delivered(app, here.ts, 2);
    await delivered(app, direct.ts, 1);
    await app.slack.until(() => app.slack.privately(ada).length === 2);
    assert.match(app.slack.privately(ada)[0]?.text ?? '', /not connected to an agent/);
    assert.equal(app.door.opened, 0);
    assert.equal(app.lines.filter(({ why, id }) => why === 'unknown channel' && id === secret).length, 1);
    assert.equal(app.slack.messages(elsewhere).length, 0);
  });

  it('a full thread and a message that is too long are told to who waits', async (t) => {
    const app = await up(t);
    app.door.full = true;
    const one = app.slack.people.dm(ada, 'one too many');
    await delivered(app, one.ts, 1);
    const two = app.slack.people.dm(ada, 'x'.repeat(LIMITS.messageBytes + 1));
    await delivered(app, two.ts, 1);
    await app.slack.until(() => app.slack.privately(ada).length === 2);
    assert.deepEqual(
      app.slack.privately(ada).map(({ text }) => /too many wait|too long/.exec(text)?.[0]),
      ['too many wait', 'too long'],
    );
    assert.equal(app.door.turns.length, 0);
  });

  it('an event of another workspace is ignored, with one line', async (t) => {
    const app = await up(t);
    const { ts } = app.slack.people.dm(ada, 'ours');
    await delivered(app, ts, 1);
    const payload = {
      ...app.slack.deliveries.of(ts)[0]?.envelope.payload,
      team_id: 'T9',
      context_team_id: 'T9',
      authorizations: [],
    };
    const strange = [1, 2].map(() => app.slack.deliveries.redeliver(payload));
    await app.slack.until(() => strange.every(({ state }) => state === 'acknowledged') || undefined);
    assert.equal(app.door.opened, 1);
    assert.equal(app.lines.filter(({ why }) => why === 'unknown team').length, 1);
  });

  it('a store that fails is no acknowledgement', async (t) => {
    const app = await up(t);
    app.door.fault = new Error('disk full');
    const { ts } = app.slack.people.dm(ada, 'keep');
    await app.slack.until(() => app.lines.find(({ event }) => event === 'slack-not-taken'));
    assert.equal(app.slack.deliveries.of(ts)[0]?.attempts[0]?.outcome, undefined);
    await comesAgain(app, ts);
    assert.equal(app.door.turns.length, 1);
  });
});
