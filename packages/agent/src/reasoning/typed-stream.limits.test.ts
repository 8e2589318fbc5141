import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { StreamEvent } from '@agentkourier/a2a/model';
import { artifact, heard, more, status, streamOf, task, text, thought, whole } from '../../test/agent-says.ts';
import { AGENT_LIMITS } from '../limits.ts';
import { typedStream } from './typed-stream.ts';

const DONE = status('TASK_STATE_COMPLETED');

const MIB = 1_048_576;

describe('limits', () => {
  /** Whether the stream was closed when its reader had enough. */
  function watched(sent: Iterable<StreamEvent>): { stream: AsyncGenerator<StreamEvent>; closed: () => boolean } {
    let closed = false;
    async function* stream(): AsyncGenerator<StreamEvent, void, undefined> {
      try {
        yield* sent;
      } finally {
        closed = true;
      }
    }
    return { stream: stream(), closed: () => closed };
  }

  function* forever(next: (at: number) => StreamEvent): Generator<StreamEvent, void, undefined> {
    for (let at = 0; ; at += 1) yield next(at);
  }

  const ENDLESS = {
    'appended text': () => more('a', text('x'.repeat(MIB))),
    'appended thoughts': () => more('a', thought('x'.repeat(MIB))),
    'snapshots of new artifacts': (at: number) => artifact(`${at}`, text('x'.repeat(MIB))),
    'answers that replace each other': (at: number) => artifact(`${at}`, whole(`${at}`.padEnd(MIB, 'x'))),
    'empty artifacts': (at: number) => artifact(`${at}`),
    'long ids': (at: number) => more(`${at}`.padEnd(MIB, 'x'), text('x')),
  };

  for (const [name, next] of Object.entries(ENDLESS)) {
    test(`${name} without end: the stream is left, and the end says so`, async () => {
      const { stream, closed } = watched(forever(next));
      let last: unknown;
      let characters = 0;
      for await (const event of typedStream(stream)) {
        last = event;
        if (event.type !== 'end') characters += event.delta.length;
      }
      assert.ok(closed());
      assert.equal((last as { outcome: string }).outcome, 'too-large');
      assert.ok(characters <= AGENT_LIMITS.heardCharacters);
    });
  }

  test('a text that replaces itself for ever is bounded by itself', async () => {
    const [x, y] = ['x', 'y'].map((letter) => artifact('a', text(letter.repeat(MIB))));
    assert.ok(x && y);
    const { end } = await heard(Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? x : y)));
    assert.equal(end.outcome, 'interrupted');
    assert.equal(end.answer.length, MIB);
  });

  test('a reader that leaves closes the stream', async () => {
    const { stream, closed } = watched(forever(() => more('a', text('x'))));
    for await (const _ of typedStream(stream)) break;
    assert.ok(closed());
  });
});

// Done in a second or two. Were a chunk to cost what came before it, each of these would copy 40 GB and more.
describe('20,000 chunks cost what they bring', { timeout: 60_000 }, () => {
  const CHUNKS = 20_000;
  const LONG = 'x'.repeat(4 * MIB);
  const chunk = more('a', text('y'));

  const SENT: Readonly<Record<string, readonly StreamEvent[]>> = {
    'with nothing between': [chunk],
    'with an old task after each': [chunk, task('TASK_STATE_WORKING', [['a', text('x')]])],
    'with another artifact replaced after each': [chunk, artifact('b', text('1')), artifact('b', text('2'))],
    'with a whole answer that is far too short after each': [
      chunk,
      artifact('b', whole('1')),
      artifact('b', whole('2')),
    ],
    'of thinking and text': [more('a', thought('y')), chunk],
  };

  for (const [name, round] of Object.entries(SENT)) {
    test(name, async () => {
      const sent = [more('a', text(LONG)), ...Array.from({ length: CHUNKS }, () => round).flat(), DONE];
      let told = 0;
      for await (const event of typedStream(streamOf(sent))) told += Number(event.type !== 'end');
      assert.ok(told > CHUNKS);
    });
  }
});

test('a reader that keeps what growing snapshots add does not keep the snapshots', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = (): number => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  async function* growing(): AsyncGenerator<StreamEvent, void, undefined> {
    let grown = 'x'.repeat(300_000);
    for (let at = 0; at < 1_000; at += 1) {
      grown += `This is sentence ${at}. `;
      yield artifact('a', text(JSON.parse(JSON.stringify(grown))));
    }
  }
  const before = used();
  const kept: unknown[] = [];
  for await (const event of typedStream(growing())) kept.push(event);
  assert.equal(kept.length, 1_001);
  assert.ok(used() - before < 20 * MIB, 'all the snapshots are 300 MB');
});
