import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { chunk, dropped, http } from './upstream-host.ts';
import {
  bodyOf,
  EVENTS,
  failureOf,
  get,
  never,
  type OpenUpstream,
  type UpstreamTestLimits,
  type UpstreamTraits,
} from './upstream-samples.ts';

/** An answer whose body is the test's to write. */
async function answering(t: TestContext, open: OpenUpstream, head: string, limits?: UpstreamTestLimits) {
  const { upstream, host, origin } = await open(t, limits);
  const visited = host.visited();
  const call = upstream.call(get(origin), never());
  const visit = await visited;
  await visit.write(head);
  return { answer: await call, visit };
}

const CHUNKED = http('200 OK', { 'content-type': 'application/json', 'transfer-encoding': 'chunked' });
const STREAM = http('200 OK', EVENTS);

/** What the port promises of bodies. */
export function upstreamBodiesContract(open: OpenUpstream, { family }: UpstreamTraits): void {
  const tooLarge = [`${family}_RESPONSE_TOO_LARGE`, true, false] as const;
  const idle = [`${family}_IDLE_TIMEOUT`, true, true] as const;

  test('each piece is taken before the next is written', async (t) => {
    const { answer, visit } = await answering(t, open, STREAM);
    let news = Promise.withResolvers<string>();
    const read = answer.read((piece) => news.resolve(Buffer.from(piece).toString()));
    for (const text of ['data: 1\n\n', ':\n\n', 'data: 2\n\n']) {
      news = Promise.withResolvers();
      await visit.write(chunk(text));
      assert.equal(await news.promise, text);
    }
    await visit.write(chunk());
    await read;
  });

  test('a body that came before it is read is whole', async (t) => {
    const { answer, visit } = await answering(t, open, STREAM);
    await visit.write(chunk('one') + chunk('two') + chunk());
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    assert.equal(await bodyOf(answer), 'onetwo');
  });

  test('one piece is taken at a time, and what a slow reader does not take waits at the agent', async (t) => {
    const { answer, visit } = await answering(t, open, STREAM);
    const large = 'x'.repeat(1_048_576);
    let left = 0;
    for (let times = 0; times < 24; times += 1) void visit.write(chunk(large)).then(() => (left += 1));
    const first = Promise.withResolvers<void>();
    let [taking, most, bytes] = [0, 0, 0];
    const read = answer.read(async (piece) => {
      taking += 1;
      most = Math.max(most, taking);
      bytes += piece.length;
      await (bytes === piece.length ? first.promise : setImmediate());
      taking -= 1;
    });
    for (let turn = 0; turn < 500; turn += 1) await setImmediate();
    assert.ok(left < 24 && bytes <= 65_536, `${left} MiB have left, ${bytes} bytes were taken`);
    first.resolve();
    await visit.write(chunk());
    await read;
    assert.deepEqual([most, bytes], [1, 24 * 1_048_576]);
  });

  test('a body is bounded, told or counted, an event stream by a limit of its own', async (t) => {
    const limits = { responseBytes: 10, eventStreamBytes: 20 };
    const told = await open(t, limits);
    told.host.answer(http('200 OK', { 'content-length': 11 }));
    assert.deepEqual(await failureOf(told.upstream.call(get(told.origin), never())), tooLarge);
    for (const [head, most] of [
      [CHUNKED, 10],
      [STREAM, 20],
    ] as const) {
      const fits = await answering(t, open, head, limits);
      await fits.visit.write(chunk('x'.repeat(most)) + chunk());
      assert.equal((await bodyOf(fits.answer)).length, most);
      const over = await answering(t, open, head, limits);
      await over.visit.write(chunk('x'.repeat(most)) + chunk('x'));
      assert.deepEqual(await failureOf(bodyOf(over.answer)), tooLarge);
      await dropped(over.visit);
    }
  });

  test('a body that ends early is a failure, and never looks whole', async (t) => {
    const short = http('200 OK', { 'content-length': 10 }, 'abc');
    for (const head of [short, STREAM + chunk('abc'), `${STREAM}3\r\nab`]) {
      const { answer, visit } = await answering(t, open, head);
      visit.socket.end();
      assert.deepEqual(await failureOf(bodyOf(answer)), [`${family}_CONNECTION_LOST`, true, true]);
    }
    const { answer, visit } = await answering(t, open, STREAM + chunk('abc'));
    await visit.write('no chunk\r\n');
    assert.equal((await failureOf(bodyOf(answer)))[1], true);
  });

  test('silence ends a body after a minute, and an event stream after an hour, or a quarter later; each piece begins its time anew', async (t) => {
    for (const [head, ms] of [
      [CHUNKED, 60_000],
      [STREAM, 3_600_000],
    ] as const) {
      const { answer, visit } = await timed(t, open, head);
      let news = Promise.withResolvers<void>();
      const failed = failureOf(answer.read(() => news.resolve()));
      for (let times = 0; times < 20; times += 1) {
        news = Promise.withResolvers();
        t.mock.timers.tick(ms - 1);
        await visit.write(chunk('x'));
        await news.promise;
      }
      t.mock.timers.tick(1.25 * ms);
      assert.deepEqual(await failed, idle);
      await dropped(visit);
      t.mock.timers.reset();
    }
  });

  test('a slow reader is not the agent’s silence', async (t) => {
    const { answer, visit } = await timed(t, open, CHUNKED);
    const [taken, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const read = answer.read(() => {
      taken.resolve();
      return goOn.promise;
    });
    await visit.write(chunk('x') + chunk());
    await taken.promise;
    t.mock.timers.tick(86_400_000);
    goOn.resolve();
    await read;
  });

  test('a body that nobody reads is let go of after its time', async (t) => {
    const { answer, visit } = await timed(t, open, CHUNKED + chunk('x'));
    t.mock.timers.tick(75_000);
    await dropped(visit);
    assert.deepEqual(await failureOf(bodyOf(answer)), idle);
  });

  test('who cancels, or throws at a piece, lets go of the connection; a reading then has not come to its end', async (t) => {
    const cancelled = await answering(t, open, STREAM + chunk('x'));
    const failed = failureOf(cancelled.answer.read(() => cancelled.answer.cancel()));
    assert.deepEqual(await failed, ['A2A_UPSTREAM_CANCELED', true, false]);
    cancelled.answer.cancel();
    const unread = await answering(t, open, STREAM + chunk('x'));
    unread.answer.cancel();
    const broken = new Error('broken');
    const throwing = await answering(t, open, STREAM + chunk('x'));
    await assert.rejects(
      throwing.answer.read(() => {
        throw broken;
      }),
      broken,
    );
    const rejecting = await answering(t, open, STREAM + chunk('x'));
    await assert.rejects(
      rejecting.answer.read(() => Promise.reject(broken)),
      broken,
    );
    for (const { visit } of [cancelled, unread, throwing, rejecting]) await dropped(visit);
  });
}

/** In a time that the test drives. */
async function timed(t: TestContext, open: OpenUpstream, head: string) {
  const { upstream, host, origin } = await open(t);
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const visited = host.visited();
  const call = upstream.call(get(origin), never());
  const visit = await visited;
  await visit.write(head);
  return { answer: await call, visit };
}
