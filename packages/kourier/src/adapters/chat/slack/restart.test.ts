import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { CHANNELS, PEOPLE } from '../../../../contract/slack/town.ts';
import { sqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { type AppOnSlack, appOnSlack } from './fixtures/app-on-slack.ts';

const { ops } = CHANNELS;
const { ada } = PEOPLE;

/** The product before and after a restart: another store object on the same file, and nothing kept in memory. */
async function restarting(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'kourier-slack-'));
  const path = join(folder, 'kourier.db');
  let store = await sqliteStore({ path });
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const before = await appOnSlack(t, { store });
  await before.ready();
  return {
    before,
    async again(): Promise<AppOnSlack> {
      await before.stop();
      await store.close();
      store = await sqliteStore({ path });
      const after = await appOnSlack(t, { on: before.slack, store, clock: before.clock });
      await after.ready();
      return after;
    },
  };
}

const taken = ({ slack }: AppOnSlack, ts: string) =>
  slack.until(
    () => slack.deliveries.of(ts).length > 0 && slack.deliveries.of(ts).every(({ state }) => state === 'acknowledged'),
  );

/** Brings an event that came before once more, changed. */
async function brought({ slack }: AppOnSlack, ts: string, type: string, changed: object): Promise<void> {
  const payload = slack.deliveries
    .of(ts)
    .map(({ envelope }) => envelope.payload)
    .find(({ event }) => (event as { type: string }).type === type);
  const event = { ...(payload?.['event'] as object), ...changed };
  const delivery = slack.deliveries.redeliver({ ...payload, event_id: 'Ev0ANOTHER', event });
  await slack.until(() => delivery.state === 'acknowledged');
}

describe('a restart between two events', () => {
  it('C143 C146 of one mention, one before and one after: one turn, whichever is first, with a client id or not', async (t) => {
    const { before, again } = await restarting(t);
    const { ts } = before.slack.people.mention(ops, ada, 'once');
    await taken(before, ts);
    assert.equal(before.door.turns.length, 1);
    const after = await again();
    for (const type of ['app_mention', 'message']) {
      await brought(after, ts, type, {});
      await brought(after, ts, type, { client_msg_id: undefined });
    }
    assert.ok(after.door.opened >= 4);
    assert.deepEqual(after.door.turns, []);
  });

  it('of one gesture that became two messages: one turn', async (t) => {
    const { before, again } = await restarting(t);
    const { ts } = before.slack.people.dm(ada, 'once');
    await taken(before, ts);
    const after = await again();
    const other = '1700000007.000100';
    await brought(after, ts, 'message', { ts: other, event_ts: other });
    assert.ok(after.door.opened >= 1);
    assert.deepEqual(after.door.turns, []);
  });

  it('of an aside that became two messages: it is said once', async (t) => {
    const { before, again } = await restarting(t);
    const root = before.slack.people.mention(ops, ada, 'look');
    await taken(before, root.ts);
    const aside = before.slack.people.say(ops, ada, 'at the disk', { thread: root.ts });
    await taken(before, aside.ts);
    const after = await again();
    const other = '1700000007.000100';
    await brought(after, aside.ts, 'message', { ts: other, event_ts: other });
    assert.deepEqual([before.door.asides.length, after.door.asides.length], [1, 0]);
  });
});
