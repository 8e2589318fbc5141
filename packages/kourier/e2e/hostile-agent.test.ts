import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AgentDefinition, serveAgent } from '@agentkourier/agent';
import { LIMITS } from '../src/core/limits.ts';
import { breakages, cards } from './hostile/breakages.ts';
import { serveHostile } from './hostile/hostile-agent.ts';
import { type Case, endless, strange, tooMuch } from './hostile/streams.ts';
import { writeConfiguration } from './process/configuration.ts';
import { folderFor, ProductProcess } from './process/product-process.ts';
import { answersOf, noticesOf, ThreadClient } from './process/thread-client.ts';

/** So short that a case is over soon; several times what two other threads take on a machine with other things to do. */
const TIMINGS = {
  responseHeaders: '8s',
  streamIdle: '8s',
  streamDropDelay: '50ms',
  followBackoffInitial: '50ms',
  followBackoffMax: '500ms',
  retryBackoffInitial: '200ms',
  retryBackoffMax: '1s',
  giveUpAfter: '10s',
  lifelessAfter: '10s',
  cancelAttempts: 2,
};

/** What it lives on whatever comes: of objects, past which it would die, and as a whole. */
const HEAP_MEBIBYTES = 256;
const PEAK_MEBIBYTES = 700;

test('whatever an agent does, its thread is told, and the other threads are answered meanwhile', {
  concurrency: true,
}, async (t) => {
  const busy = { ...tooMuch(), ...endless(), ...strange() };
  const waits = { ...breakages(), ...cards() };
  const middles = new Map<string, Middle>();
  const behaviours = new Map(
    Object.entries({ ...busy, ...waits }).map(([name, { behaviour }]) => [slug(name), behaviour]),
  );
  const hostile = await serveHostile(behaviours, (name) => {
    middles.get(name)?.reached.resolve();
    return middles.get(name)?.passed.promise ?? Promise.resolve();
  });
  t.after(() => hostile.close());
  const honest = await serveAgent(HONEST);
  t.after(() => honest.close());
  const folder = folderFor(t);
  const agents = new Map([...behaviours.keys()].map((name) => [name, hostile.url(name)] as const));
  const config = writeConfiguration(folder, agents.set('honest', honest.url), TIMINGS);
  const product = await ProductProcess.startWithin(t, HEAP_MEBIBYTES, '--config', config, '--data', folder);
  const client = new ThreadClient(product.url);

  const carry = (name: string, wanted: Case): Promise<void> =>
    t.test(name, async (t) => {
      const middle = { reached: Promise.withResolvers<void>(), passed: Promise.withResolvers<void>() };
      middles.set(slug(name), middle);
      const thread = await client.open(slug(name), 'do your worst');
      const settled = client.settled(thread);
      const other = await client.open('honest', 'before');
      await client.settled(other);
      // A card that is refused is never followed by a call: then its thread is over first.
      await Promise.race([middle.reached.promise, settled]);
      await look(client, other, 'in the middle', thread);
      middle.passed.resolve();
      await look(client, other, 'while it goes on', thread);
      if (wanted.stopped) await client.post(`/api/v1/threads/${thread}/stop`, {});
      check(wanted, await settled);
      await look(client, other, 'afterwards', thread);
      t.diagnostic(`peak ${product.peakMebibytes().toFixed(0)} MiB`);
    });

  const waiting = Promise.all(Object.entries(waits).map(([name, wanted]) => carry(name, wanted)));
  for (const [name, wanted] of Object.entries(busy)) await carry(name, wanted);
  await waiting;
  const late = product.err.filter((line) => line.includes('late-event-dropped'));
  assert.ok(late.length <= 1, `${late.length} lines about what came late`);
  const peak = product.peakMebibytes();
  assert.ok(peak < PEAK_MEBIBYTES, `${peak} MiB`);
  product.signal('SIGTERM');
  assert.equal(await product.ended(), 0);
});

/** Of an answer: it goes on when somebody else has been answered. */
interface Middle {
  readonly reached: PromiseWithResolvers<void>;
  readonly passed: PromiseWithResolvers<void>;
}

const HONEST: AgentDefinition = {
  name: 'Honest',
  description: 'Says it again.',
  async *turn({ text }) {
    yield* ['You said: ', text.slice(text.indexOf('\n') + 1)];
  },
};

const slug = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60);

/** Another thread is answered, and the product answers what it is asked. */
async function look(client: ThreadClient, other: string, words: string, hostile: string): Promise<void> {
  await client.say(other, words);
  const [timeline, ready, seen] = await Promise.all([client.settled(other), client.ready(), client.timeline(hostile)]);
  assert.deepEqual([answersOf(timeline).at(-1), noticesOf(timeline)], [`You said: ${words}`, []]);
  assert.ok(ready);
  assert.equal(seen.id, hostile);
}

function check({ notices, answer, steps }: Case, timeline: Awaited<ReturnType<ThreadClient['settled']>>): void {
  assert.deepEqual(noticesOf(timeline), notices);
  const text = answersOf(timeline)[0] ?? '';
  // Not shown whole when it differs: it can be megabytes.
  if (answer !== undefined) assert.ok(text === answer, `${text.length} characters: ${text.slice(0, 200)}`);
  for (const entry of timeline.entries) {
    if (entry.kind === 'step')
      assert.ok(JSON.stringify(entry).length < 2 * LIMITS.shownCharacters, 'a step is too long');
  }
  if (steps !== undefined) assert.equal(timeline.entries.filter(({ kind }) => kind === 'step').length, steps);
}
