import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FakeSlack, fakeSlack } from '../../../../contract/slack/fake-slack.ts';
import type { Seen } from '../../../../contract/slack/people/seen.ts';
import { TestClock } from '../../../../contract/slack/test-clock.ts';
import { PEOPLE } from '../../../../contract/slack/town.ts';
import { TEAM } from '../../../../contract/slack/world.ts';
import type { NoticeEntry, RequestEntry } from '../../../core/thread/entry.ts';
import type { EntryId } from '../../../core/thread/ids.ts';
import { GrowingThread } from './fixtures/growing-thread.ts';
import { askedIn, deliveredStore, deliveriesOn } from './fixtures/loaded-slack.ts';
import { PassingTime } from './fixtures/passing-time.ts';
import { until } from './live/until.ts';
import { placeOf } from './slack-place.ts';

/** They stream all the while. */
const THREADS = 120;
/** They stream, ask, are answered, and are stopped, one after the other. */
const ASKING = 8;
/** One channel takes a message a second, and a thread may have its answer to post before its prompt. */
const IN_ONE_CHANNEL_MS = 10_000;

test('over a hundred threads stream in many channels: prompts, decisions and notices are shown at once', {
  timeout: 300_000,
}, async () => {
  for (const { prompt, decided, notice } of await waits(12)) {
    assert.ok(Math.max(prompt, decided, notice) <= 1_000, JSON.stringify({ prompt, decided, notice }));
  }
});

test('over a hundred threads stream in one channel: prompts, decisions and notices go before what grows', {
  timeout: 300_000,
}, async () => {
  for (const { prompt, decided, notice } of await waits(1)) {
    assert.ok(Math.max(prompt, notice) <= IN_ONE_CHANNEL_MS, JSON.stringify({ prompt, notice }));
    assert.ok(decided <= 1_000, `${decided}`);
  }
});

interface Asking {
  readonly name: string;
  readonly thread: GrowingThread;
  readonly channel: string;
  readonly ts: string;
}

/** How long people waited for what, in milliseconds. */
async function waits(channels: number) {
  const clock = new TestClock();
  const time = new PassingTime(clock);
  const slack = await fakeSlack({ clock });
  try {
    const { store, delivering } = deliveredStore();
    const deliveries = deliveriesOn(slack, clock, delivering);
    const begun = (name: string, index: number, pieces: number): Asking => {
      const { channel, ts } = askedIn(slack, index % channels);
      const place = placeOf({ team: TEAM, channel, threadTs: ts });
      const growth = { store, clock, place, asker: PEOPLE.ada, pieces, pieceLength: 20 };
      const thread = new GrowingThread(name, { ...growth, show: (update) => deliveries.show(update) });
      return { name, thread, channel, ts };
    };
    const crowd = Array.from({ length: THREADS }, (_, index) => begun(`crowd${index}`, index, 260));
    const asking = Array.from({ length: ASKING }, (_, index) => begun(`asking${index}`, index, 40 + 10 * index));
    for (const { thread } of crowd) void thread.begin();
    const waited = await time.during(Promise.all(asking.map((each) => waitsIn(slack, clock, each))));
    assert.deepEqual(slack.limits.refused, []);
    await time.during(deliveries.leave());
    return waited;
  } finally {
    time.restore();
    await slack.close();
  }
}

async function waitsIn(slack: FakeSlack, clock: TestClock, { name, thread, channel, ts }: Asking) {
  const shown = async (look: (seen: Seen) => boolean): Promise<number> => {
    const sinceMs = clock.now();
    await slack.until(() => slack.messages(channel, ts).some((seen) => seen.ours && look(seen)));
    return clock.now() - sinceMs;
  };
  await thread.begin();
  const { kept } = thread;
  const request = requestOf(thread, name);
  await kept.commit([request], 'waiting');
  const prompt = await shown(({ text }) => text.includes(request.heading));
  await until(clock, clock.now() + 5_000);
  const answer = { actor: { id: PEOPLE.ada }, answers: [], approvals: [{ id: 'tool', approved: true }] };
  await kept.commit([{ ...request, state: 'answered', answer }], 'running');
  const decided = await shown(({ text, buttons }) => text.includes(request.heading) && buttons.length === 0);
  await until(clock, clock.now() + 5_000);
  const stopped = noticeOf(thread, name);
  await kept.commit([stopped], 'idle');
  const notice = await shown(({ text }) => text.includes(stopped.text));
  return { prompt, decided, notice };
}

const requestOf = (thread: GrowingThread, name: string): RequestEntry => ({
  kind: 'request',
  id: `${name}-request` as EntryId,
  turnId: thread.turnId(1),
  type: 'tool-approval',
  state: 'open',
  heading: `${name}: go on?`,
  questions: [],
  tools: [{ id: 'tool', name: 'restart', args: {} }],
  until: '2027-01-01T00:00:00Z',
});

const noticeOf = (thread: GrowingThread, name: string): NoticeEntry => ({
  kind: 'notice',
  id: `${name}-notice` as EntryId,
  turnId: thread.turnId(1),
  code: 'task-canceled',
  text: `${name} was stopped.`,
});
