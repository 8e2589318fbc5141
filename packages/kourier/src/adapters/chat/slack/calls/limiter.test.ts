import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateLimits } from '../../../../../contract/slack/rate-limits.ts';
import { TestClock } from '../../../../../contract/slack/test-clock.ts';
import { type Let, Limiter, type Turnstile } from './limiter.ts';

/** Lets every waiting promise go on. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
};

function crowd(limiter: Limiter, turnstiles: readonly Turnstile[], untilMs: number): { names: string[]; ends: Let[] } {
  const names: string[] = [];
  const ends: Let[] = [];
  for (const [index, turnstile] of turnstiles.entries()) {
    void limiter.enter(turnstile, untilMs).then((end) => {
      ends.push(end);
      if (end.kind === 'through') names.push(`${turnstile.priority}${index}`);
    });
  }
  return { names, ends };
}

test('a hundred threads that end at once stay within the rates of Slack, and none is lost', async () => {
  const clock = new TestClock();
  const limiter = new Limiter(clock);
  const slack = new RateLimits(clock, true);
  let through = 0;
  const all = Array.from({ length: 100 }, async (_, thread) => {
    for (const method of ['chat.postMessage', 'chat.stopStream', 'chat.update', 'chat.update']) {
      const channel = method === 'chat.postMessage' ? `C${thread % 20}` : undefined;
      const priority = thread % 3 === 0 ? 'live' : 'final';
      const turnstile = { method, priority, ...(channel && { channel }) } as const;
      await limiter.enter(turnstile, Number.POSITIVE_INFINITY);
      assert.equal(slack.refuse(method, channel), undefined, `${method} was one too many`);
      through++;
    }
  });
  while (through < 400) {
    await settled();
    const [next] = clock.deadlines;
    if (next !== undefined) clock.advance(next - clock.now());
  }
  await Promise.all(all);
  assert.deepEqual(slack.refused, []);
});

test('prompts go before answers, answers before steps, steps before what begins, and live text comes last', async () => {
  const clock = new TestClock();
  const limiter = new Limiter(clock);
  limiter.hold('chat.update', 1_000);
  const priorities = ['live', 'first', 'step', 'final', 'live', 'prompt', 'final'] as const;
  const turnstiles = priorities.map((priority) => ({ method: 'chat.update', priority }));
  const { names } = crowd(limiter, turnstiles, clock.now() + 5_000);
  await settled();
  assert.deepEqual(names, []);
  clock.advance(1_000);
  await settled();
  assert.deepEqual(names, ['prompt5', 'final3', 'final6', 'step2', 'first1', 'live0', 'live4']);
});

test('live text leaves a share of each method to what must be said', async () => {
  const clock = new TestClock();
  const limiter = new Limiter(clock);
  const live = Array.from({ length: 50 }, () => ({ method: 'chat.update', priority: 'live' }) as const);
  const { names, ends } = crowd(limiter, live, clock.now());
  await settled();
  assert.equal(names.length, 30);
  assert.ok(ends.every((end) => end.kind === 'through' || end.retryAfterMs === 60_000));
  assert.deepEqual(await limiter.enter({ method: 'chat.update', priority: 'final' }, clock.now()), { kind: 'through' });
});

test('a limit that Slack states holds up its method and no other', async () => {
  const clock = new TestClock();
  const limiter = new Limiter(clock);
  limiter.hold('chat.postMessage', 60_000);
  const now = clock.now();
  const held = await limiter.enter({ method: 'chat.postMessage', channel: 'C1', priority: 'final' }, now + 30_000);
  assert.deepEqual(held, { kind: 'busy', retryAfterMs: 60_000 });
  assert.deepEqual(await limiter.enter({ method: 'chat.update', priority: 'live' }, now), { kind: 'through' });
});

test('who waits for a full channel does not hold up another one', async () => {
  const clock = new TestClock();
  const limiter = new Limiter(clock);
  const posts = ['C1', 'C1', 'C1', 'C1', 'C2'].map(
    (channel) => ({ method: 'chat.postMessage', channel, priority: 'final' }) as const,
  );
  const { names } = crowd(limiter, posts, clock.now() + 5_000);
  await settled();
  assert.deepEqual(names, ['final0', 'final1', 'final2', 'final4']);
  clock.advance(3_000);
  await settled();
  assert.deepEqual(names, ['final0', 'final1', 'final2', 'final4', 'final3']);
});
