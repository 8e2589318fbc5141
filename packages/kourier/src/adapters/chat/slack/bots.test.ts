import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Message } from '../../../../contract/slack/model.ts';
import { CHANNELS, PEOPLE } from '../../../../contract/slack/town.ts';
import type { RequestEntry } from '../../../core/thread/entry.ts';
import type { EntryId } from '../../../core/thread/ids.ts';
import { type AppOnSlack, type AppOptions, appOnSlack } from './fixtures/app-on-slack.ts';

const { ops, secret } = CHANNELS;
const { ada } = PEOPLE;
const MENTION = '<@U0KOURIER>';

async function up(t: TestContext, allowed: readonly string[], more: AppOptions = {}): Promise<AppOnSlack> {
  const chat = { platform: 'slack', channels: [ops], directMessages: false, bots: { allowed, turnsInARow: 3 } };
  const app = await appOnSlack(t, { bindings: [{ name: 'ops', chat }], ...more });
  await app.ready();
  return app;
}

const heard = ({ slack }: AppOnSlack, { ts }: Message) =>
  slack.until(() => {
    const all = slack.deliveries.of(ts);
    return all.length > 0 && all.every(({ state }) => state === 'acknowledged');
  });

const said = ({ door }: AppOnSlack) => door.turns.map(({ text, mention }) => (mention === false ? `(${text})` : text));

/** One after the other, in a thread. */
async function loop(app: AppOnSlack, root: Message, words: readonly string[]): Promise<void> {
  for (const word of words) {
    await heard(app, app.slack.people.botSays(ops, `${MENTION} ${word}`, { thread: root.ts }));
  }
}

describe('another bot on Slack', () => {
  it('starts nothing unless it is allowed, by its id or that of its user', async (t) => {
    for (const [allowed, turns] of [
      [['B0SOMEBODY'], []],
      [['B0OTHER'], ['deployed', 'classic']],
      [['U0DEPLOYS'], ['deployed', 'classic']],
    ] as const) {
      const app = await up(t, allowed);
      const { people } = app.slack;
      await heard(app, people.botSays(ops, `${MENTION} deployed`));
      await heard(app, people.botSays(ops, `${MENTION} classic`, { classic: true }));
      await heard(app, people.botSays(ops, 'no mention'));
      await heard(app, people.botSays(secret, `${MENTION} not here`));
      assert.deepEqual(said(app), turns);
      for (const { actor } of app.door.turns) assert.deepEqual(actor, { id: 'B0OTHER', name: 'Deploys' });
    }
  });

  it('C148 C149 is never the app itself, also when that is allowed', async (t) => {
    const app = await up(t, ['B0KOURIER', 'U0KOURIER']);
    await heard(app, app.slack.people.ownSays(ops, `${MENTION} me`));
    await heard(app, app.slack.people.ownSays(ops, `${MENTION} me`, { classic: true }));
    assert.deepEqual(said(app), []);
  });

  it('begins so many turns in a row; what it says then is context, until a person writes', async (t) => {
    const app = await up(t, ['B0OTHER']);
    const root = app.slack.people.botSays(ops, `${MENTION} 1`);
    await heard(app, root);
    await loop(app, root, ['2', '3', '4', '5']);
    assert.deepEqual(said(app), ['1', '2', '3', '(4)', '(5)']);
    assert.equal(
      app.lines.filter(({ event, bot }) => event === 'slack-bot-waits' && bot === 'B0OTHER').length >= 2,
      true,
    );
    await heard(app, app.slack.people.say(ops, ada, 'go on, you two', { thread: root.ts }));
    await loop(app, root, ['6']);
    assert.deepEqual(said(app).at(-1), '6');
    assert.deepEqual(
      app.door.asides.map(({ text }) => text),
      ['go on, you two'],
    );
  });

  it('has begun them after a restart too, and one that comes again is no other one', async (t) => {
    const app = await up(t, ['B0OTHER']);
    const root = app.slack.people.botSays(ops, `${MENTION} 1`);
    await heard(app, root);
    await loop(app, root, ['2', '3']);
    await app.stop();
    const next = await up(t, ['B0OTHER'], { on: app.slack, store: app.store, clock: app.clock });
    for (const { envelope } of [...app.slack.deliveries.all]) {
      const again = app.slack.deliveries.redeliver(envelope.payload);
      await app.slack.until(() => again.state === 'acknowledged');
    }
    assert.deepEqual(said(next), []);
    await loop(next, root, ['4']);
    assert.deepEqual(said(next), ['(4)']);
  });

  it('answers no question: a person does', async (t) => {
    const app = await up(t, ['B0OTHER']);
    const root = app.slack.people.mention(ops, ada, 'restart it');
    await heard(app, root);
    const thread = await app.store.threadAt('ops', `T0ACME/${ops}/${root.ts}`);
    assert.ok(thread);
    const turnId = (await app.store.timeline(thread))?.entries[0]?.turnId;
    assert.ok(turnId);
    const request: RequestEntry = {
      ...{ kind: 'request', id: 'r1' as EntryId, turnId, type: 'text', state: 'open', heading: '', tools: [] },
      questions: [{ question: 'Really?', choices: [], multiple: false }],
      until: '2027-01-01T00:00:00Z',
    };
    await app.door.write(thread, request);
    await loop(app, root, ['yes']);
    assert.deepEqual(said(app), ['restart it', '(yes)']);
  });
});
