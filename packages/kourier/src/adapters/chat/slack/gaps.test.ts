import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { TestClock } from '../../../../contract/slack/test-clock.ts';
import { CHANNELS, PEOPLE } from '../../../../contract/slack/town.ts';
import { type AppOnSlack, type AppOptions, appOnSlack } from './fixtures/app-on-slack.ts';

const { ops } = CHANNELS;
const { ada, bob } = PEOPLE;
const MINUTE = 60_000;

async function up(t: TestContext, options: AppOptions = {}): Promise<AppOnSlack> {
  const app = await appOnSlack(t, options);
  await app.ready();
  return app;
}

const line = ({ slack, lines }: AppOnSlack, event: string, count = 1) =>
  slack.until(() => lines.filter((each) => each.event === event)[count - 1]);

const acknowledged = ({ slack }: AppOnSlack, ts: string) =>
  slack.until(() => slack.deliveries.of(ts).every(({ state }) => state === 'acknowledged') || undefined);

/** Time passes on both sides until then. */
async function passing(app: AppOnSlack, end: Promise<unknown>): Promise<void> {
  let isOver = false;
  void end.then(() => {
    isOver = true;
  });
  while (!isOver) {
    await setImmediate();
    app.passes(1_000);
    (app.slack.clock as TestClock).advance(1_000);
  }
}

const texts = ({ door }: AppOnSlack) => door.turns.map(({ text }) => text);

/** The second connection comes a while after the first. */
async function bothUp(app: AppOnSlack): Promise<void> {
  app.clock.advance(10_000);
  await app.slack.until(() => app.slack.sockets.open.length === 2 || undefined);
  await line(app, 'slack-connected', 2);
}

describe('connections to Slack', () => {
  it('are two, and one that Slack recycles leaves the other, and is replaced at once', async (t) => {
    const app = await up(t);
    await bothUp(app);
    app.passes(MINUTE);
    const { sockets } = app.slack;
    const [first, second] = [...sockets.open];
    assert.ok(first && second);
    sockets.recycle('refresh_requested', [first]);
    await app.slack.until(() => (sockets.made === 3 && sockets.open.length === 2) || undefined);
    assert.ok(sockets.open.includes(second));
    const { ts } = app.slack.people.dm(ada, 'through it');
    await app.slack.until(() => texts(app).length === 1);
    await acknowledged(app, ts);
  });

  it('C169 that flap are opened ever more slowly, and never more than two', async (t) => {
    const app = await up(t);
    await bothUp(app);
    const { sockets } = app.slack;
    let most = 0;
    for (let round = 1; round <= 6; round++) {
      sockets.drop();
      await line(app, 'slack-disconnected', 2 * round);
      app.clock.advance(15_000);
      await app.slack.until(() => sockets.open.length === 2 || undefined);
      most = Math.max(most, sockets.open.length);
      await line(app, 'slack-connected', 2 + 2 * round);
    }
    const waits = app.lines.flatMap(({ event, ['againInMs']: ms }) =>
      event === 'slack-disconnected' ? [Number(ms)] : [],
    );
    assert.deepEqual(waits.slice(0, 2), [0, 0]);
    assert.ok(Math.max(...waits) >= 5_000);
    assert.equal(most, 2);
  });

  it('C169 survive a Slack that does not let them in for a while', async (t) => {
    const app = await up(t);
    app.slack.faults.next('apps.connections.open', { effect: 'never', answer: { status: 500 } }, { times: 3 });
    app.slack.sockets.drop();
    for (let failed = 1; failed <= 4; failed++) {
      await line(app, 'slack-disconnected', failed);
      app.clock.advance(5_000);
    }
    await app.ready();
    assert.equal(app.slack.faults.waiting, 0);
  });

  it('that do not answer pings are given up, and what is said meanwhile is made up for', async (t) => {
    const app = await up(t);
    const [first] = app.slack.sockets.open;
    assert.ok(first);
    first.hearing = 'silent';
    const { ts } = app.slack.people.dm(ada, 'hello?');
    app.clock.advance(25_000);
    await line(app, 'slack-disconnected');
    await line(app, 'slack-connected', 2);
    const slackClock = app.slack.clock as TestClock;
    slackClock.advance(3_000);
    await acknowledged(app, ts);
    assert.deepEqual(texts(app), ['hello?']);
    assert.ok(app.lines.some(({ why }) => why === 'no answer to pings'));
  });

  it('C170 that hear nothing although they are connected are found out, renewed, and nothing is lost', async (t) => {
    const app = await up(t);
    await bothUp(app);
    app.slack.sockets.setHearing('deaf', false);
    (app.slack.clock as TestClock).advance(MINUTE);
    app.slack.people.mention(ops, ada, 'anybody?');
    (app.slack.clock as TestClock).advance(5 * MINUTE);
    // Our own clock is ahead of what Slack had time to tell.
    app.passes(5 * MINUTE + 1_000);
    await line(app, 'slack-deaf');
    await app.slack.until(() => texts(app).length === 1 || undefined);
    await line(app, 'slack-backfilled');
    await app.slack.until(() => app.platform.notReady().length === 0 || undefined);
    assert.ok(app.slack.sockets.made >= 3);
    assert.deepEqual(
      app.door.turns.map(({ place }) => place?.split('/')[1]),
      [ops],
    );
  });

  it('say why they are not there', async (t) => {
    const app = await appOnSlack(t);
    assert.deepEqual(app.platform.notReady(), ['slack: starting']);
    await app.ready();
    app.slack.faults.next(
      'apps.connections.open',
      { effect: 'never', answer: { error: 'invalid_auth' } },
      { times: Number.POSITIVE_INFINITY },
    );
    app.slack.sockets.drop();
    await line(app, 'slack-disconnected');
    assert.deepEqual(app.platform.notReady(), ['slack: not connected to Slack']);
  });

  it('wait for a token that is refused, and come up with it', async (t) => {
    const app = await appOnSlack(t);
    app.slack.faults.next('auth.test', { answer: { error: 'invalid_auth' } });
    await line(app, 'slack-not-up');
    assert.deepEqual(app.platform.notReady(), ['slack: Error: auth.test: invalid_auth']);
    app.clock.advance(1_000);
    await app.ready();
  });
});

describe('what was said while nobody listened', () => {
  it('is heard at the next start: mentions, direct messages, replies in our threads; once', async (t) => {
    const app = await up(t);
    const root = app.slack.people.mention(ops, ada, 'first');
    const direct = app.slack.people.dm(bob, 'direct');
    await app.slack.until(() => texts(app).length === 2 || undefined);
    await acknowledged(app, root.ts);
    await acknowledged(app, direct.ts);
    await app.stop();
    const slackClock = app.slack.clock as TestClock;
    slackClock.advance(MINUTE);
    const { people } = app.slack;
    people.mention(ops, bob, 'while down');
    people.dm(bob, 'direct while down');
    people.say(ops, bob, 'aside while down', { thread: root.ts });
    people.dm(bob, 'more while down', { thread: direct.ts });
    people.say(ops, bob, 'chatter');
    // Longer than Slack tries.
    for (const waitMs of [3_000, 3_000, 70_000, 3_000, 310_000, 3_000]) {
      slackClock.advance(waitMs);
      await Promise.resolve();
    }
    const clock = app.clock;
    clock.advance(10 * MINUTE);
    const next = await up(t, { on: app.slack, store: app.store, clock });
    await line(next, 'slack-backfilled');
    assert.deepEqual(new Set(texts(next)), new Set(['while down', 'direct while down', 'more while down']));
    assert.deepEqual(
      next.door.asides.map(({ text }) => text),
      ['aside while down'],
    );
    assert.equal(next.door.turns.length, 3);
  });

  it('is heard of people who never wrote before, in direct messages and their threads', async (t) => {
    const app = await up(t);
    await app.stop();
    const first = app.slack.people.dm(bob, 'is anybody there?');
    app.slack.people.dm(bob, 'hello?', { thread: first.ts });
    app.clock.advance(10 * MINUTE);
    const next = await up(t, { on: app.slack, store: app.store, clock: app.clock });
    await line(next, 'slack-backfilled');
    assert.deepEqual(texts(next), ['is anybody there?', 'hello?']);
  });

  it('in direct messages is not looked for where nobody answers them, nor after a gap that Slack makes up for', async (t) => {
    const channelsOnly = [{ name: 'ops', chat: { platform: 'slack', channels: [ops], directMessages: false } }];
    for (const [bindings, gapMs] of [
      [channelsOnly, 10 * MINUTE],
      [undefined, 3 * MINUTE],
    ] as const) {
      const app = await up(t);
      await app.stop();
      app.slack.people.dm(bob, 'is anybody there?');
      app.clock.advance(gapMs);
      const next = await up(t, { on: app.slack, store: app.store, clock: app.clock, ...(bindings && { bindings }) });
      await line(next, 'slack-backfilled');
      assert.ok(!next.slack.calls.some(({ method }) => method === 'users.conversations'));
    }
  });

  it('in direct messages that may not be listed is told of, and holds nothing up', async (t) => {
    const app = await up(t);
    await app.stop();
    app.slack.app.scopes.delete('im:read');
    app.slack.people.mention(ops, ada, 'down');
    app.clock.advance(10 * MINUTE);
    const next = await up(t, { on: app.slack, store: app.store, clock: app.clock });
    assert.equal((await line(next, 'slack-backfilled'))['isWhole'], true);
    assert.equal(next.lines.find(({ event }) => event === 'slack-direct-not-listed')?.why, 'missing_scope: im:read');
    assert.deepEqual(texts(next), ['down']);
  });

  it('in more direct messages than there is time for: the newest conversations are read, at a pace, and it ends', async (t) => {
    const app = await up(t, { slack: { rateLimits: true } });
    await app.stop();
    const { world } = app.slack;
    for (let index = 0; index < 310; index++) {
      (app.slack.clock as TestClock).advance(1_000);
      world.addChannel({ id: `D0OLD${index}`, name: '', kind: 'im', members: [ada, app.slack.app.botUserId] });
    }
    (app.slack.clock as TestClock).advance(1_000);
    app.slack.people.dm(bob, 'new here');
    app.clock.advance(MINUTE * 10);
    const next = await appOnSlack(t, { on: app.slack, store: app.store, clock: app.clock });
    const end = line(next, 'slack-backfilled');
    await passing(next, end);
    assert.deepEqual(texts(next), ['new here']);
    const cut = next.lines.find(({ event }) => event === 'slack-direct-not-all');
    assert.equal(Number(cut?.['looked']) + Number(cut?.['left']), 311);
    assert.ok(Number(cut?.['looked']) <= 300);
    assert.deepEqual(app.slack.limits.refused, []);
  });

  it('is not looked for by who starts for the first time', async (t) => {
    const app = await up(t);
    await app.stop();
    const fresh = await appOnSlack(t, { on: app.slack });
    app.slack.people.mention(ops, ada, 'before');
    await fresh.ready();
    assert.equal(fresh.lines.filter(({ event }) => event === 'slack-backfilled').length, 0);
  });

  it('C172 is heard after a gap without connections, and a channel that cannot be read holds nothing up', async (t) => {
    const bindings = [
      { name: 'ops', chat: { platform: 'slack', channels: [CHANNELS.elsewhere, ops], directMessages: true } },
    ];
    const app = await up(t, { bindings });
    app.slack.faults.next('apps.connections.open', { effect: 'never', answer: 'dropped' });
    app.slack.sockets.drop();
    await line(app, 'slack-disconnected', 2);
    app.slack.people.mention(ops, ada, 'in the gap');
    app.clock.advance(11_000);
    await line(app, 'slack-backfilled');
    assert.deepEqual(texts(app), ['in the gap']);
    assert.equal(app.lines.find(({ event }) => event === 'slack-not-read')?.['channel'], CHANNELS.elsewhere);
  });

  it('is read again where it could not be taken', async (t) => {
    const app = await up(t);
    await app.stop();
    app.slack.people.mention(ops, ada, 'down');
    app.clock.advance(MINUTE);
    const next = await appOnSlack(t, { on: app.slack, store: app.store, clock: app.clock });
    next.door.fault = new Error('disk full');
    await line(next, 'slack-backfilled');
    assert.deepEqual(texts(next), []);
    await next.ready();
    next.clock.advance(MINUTE);
    await line(next, 'slack-backfilled', 2);
    assert.deepEqual(texts(next), ['down']);
  });
});
