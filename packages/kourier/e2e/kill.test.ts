import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Prng } from '../sim/prng.ts';
import { audit } from './process/audit.ts';
import { writeConfiguration } from './process/configuration.ts';
import { EchoAgent, echo } from './process/echo-agent.ts';
import { folderFor, ProductProcess } from './process/product-process.ts';
import { answersOf, noticesOf, ThreadClient } from './process/thread-client.ts';
import { Writer } from './process/writer.ts';

const TIMINGS = {
  streamDropDelay: '50ms',
  followBackoffInitial: '50ms',
  followBackoffMax: '200ms',
  retryBackoffInitial: '50ms',
  retryBackoffMax: '200ms',
};

const SEED = Number(process.env['KOURIER_SEED'] ?? 20_261_129);
const ROUNDS = 8;
const WRITERS = 6;
const MESSAGES_PER_ROUND = 3;
const STOP_WITHIN_MS = 10_000;

/** How the product goes: at once, politely, or politely and then at once. */
const ENDS = ['kill', 'kill', 'stop', 'stop-and-kill'] as const;

test('C181 gone at any moment, and started again: what was accepted is answered once, in order, and nothing is owed', async (t) => {
  const chance = new Prng(SEED);
  t.diagnostic(`KOURIER_SEED=${SEED}`);
  const agent = await EchoAgent.start(t);
  const folder = folderFor(t);
  const args = ['--config', writeConfiguration(folder, new Map([['echo', agent.url]]), TIMINGS), '--data', folder];
  let happened = (): void => undefined;
  const writers = Array.from({ length: WRITERS }, (_, index) => new Writer(`w${index}`, 'echo', () => happened()));

  for (let round = 1; round <= ROUNDS; round += 1) {
    const [moments, how] = [chance.between(1, 250), chance.one(ENDS)];
    const reached = Promise.withResolvers<void>();
    let left = moments;
    happened = () => {
      left -= 1;
      if (left === 0) reached.resolve();
    };
    const product = await ProductProcess.start(t, ...args);
    const client = new ThreadClient(product.url);
    const wanted = round * MESSAGES_PER_ROUND;
    const writes = writers.map((writer) => writer.write(client, wanted));
    const reads = writers.map((writer, index) => readUntilGone(writer, client, writes[index]));
    // Were there fewer moments than that, it goes when all is said: that is a moment too.
    await Promise.race([reached.promise, allSettled(writers, client, writes)]);
    const began = performance.now();
    await end(product, how);
    await Promise.all(reads);
    const took = (performance.now() - began).toFixed(0);
    t.diagnostic(
      `round ${round}: ${how} after ${moments - left} of ${moments}, ${agent.runs.length} turns ran, gone in ${took} ms`,
    );
  }

  const product = await ProductProcess.start(t, ...args);
  const client = new ThreadClient(product.url);
  const wanted = (ROUNDS + 1) * MESSAGES_PER_ROUND;
  await Promise.all(writers.map((writer) => writer.write(client, wanted)));
  for (const writer of writers) audit(writer, await client.settled(String(writer.thread)), agent);
  assert.equal(agent.cancels, 0);
  assert.equal(agent.runs.length, WRITERS * wanted);
  assert.equal(new Set(agent.runs.map(({ messageId }) => messageId)).size, agent.runs.length);
  product.signal('SIGTERM');
  assert.equal(await product.ended(), 0);
});

test('C181, C182 told to stop in mid-answer: no cancel, no notice, exit code 0, and the next start goes on', async (t) => {
  const agent = await EchoAgent.start(t);
  const folder = folderFor(t);
  const args = ['--config', writeConfiguration(folder, new Map([['echo', agent.url]]), TIMINGS), '--data', folder];
  const words = ['hold one', 'hold two', 'hold three'];
  const first = await ProductProcess.start(t, ...args);
  const before = new ThreadClient(first.url);
  const threads = await Promise.all(words.map((said) => before.open('echo', said)));
  const readers = await Promise.all(threads.map((thread) => before.events(thread)));
  await Promise.all(
    readers.map((reader) => reader.until(({ data }) => data.kind === 'answer' && data.text.startsWith('hold'))),
  );
  const told = performance.now();
  first.signal('SIGTERM');
  assert.equal(await first.ended(), 0);
  assert.ok(performance.now() - told < STOP_WITHIN_MS);
  await Promise.all(readers.map((reader) => reader.ended));

  const second = await ProductProcess.start(t, ...args);
  const client = new ThreadClient(second.url);
  for (const thread of threads) {
    const { status, entries } = await client.timeline(thread);
    assert.deepEqual([status, entries.map(({ kind }) => kind)], ['running', ['message', 'answer']]);
  }
  agent.release();
  for (const [index, thread] of threads.entries()) {
    const timeline = await client.settled(thread);
    assert.deepEqual([answersOf(timeline), noticesOf(timeline)], [[echo(words[index] ?? '')], []]);
  }
  assert.equal(agent.cancels, 0);
  assert.deepEqual(agent.runs.map((run) => run.words).sort(), [...words].sort());
});

/** That the product goes away meanwhile is what this is about. */
const gone = (): undefined => undefined;

/** A thread that is new is read when it is there. */
async function readUntilGone(writer: Writer, client: ThreadClient, write: Promise<void> | undefined): Promise<void> {
  if (writer.thread === undefined) await write?.catch(gone);
  await writer.read(client).catch(gone);
  await write?.catch(gone);
}

/** When the product goes first, this never ends, and nobody waits for it. */
function allSettled(
  writers: readonly Writer[],
  client: ThreadClient,
  writes: readonly Promise<void>[],
): Promise<unknown> {
  const settled = writers.map(async (writer, index) => {
    await writes[index];
    await client.settled(String(writer.thread));
  });
  return Promise.all(settled).catch(() => new Promise<never>(() => undefined));
}

async function end(product: ProductProcess, how: (typeof ENDS)[number]): Promise<void> {
  if (how === 'kill') return product.kill();
  const told = performance.now();
  product.signal('SIGTERM');
  if (how === 'stop-and-kill') return product.kill();
  assert.equal(await product.ended(), 0, product.err.join('\n'));
  assert.ok(performance.now() - told < STOP_WITHIN_MS);
}
