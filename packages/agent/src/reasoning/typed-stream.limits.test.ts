import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { StreamEvent } from '@agentkourier/a2a/model';
import {
  artifact,
  foldedAnswer,
  heard,
  more,
  readToEnd,
  status,
  task,
  text,
  thought,
  whole,
} from '../../test/agent-says.ts';
import { usedBytes } from '../../test/used-bytes.ts';
import { AGENT_LIMITS } from '../limits.ts';
import { typedStream } from './typed-stream.ts';

const DONE = status('TASK_STATE_COMPLETED');

const MIB = 1_048_576;

describe('limits', () => {
  /** A stream without end: how much of it was read, and whether it was closed when its reader had enough. */
  function endless(next: (at: number) => StreamEvent) {
    const seen = { frames: 0, closed: false };
    async function* stream(): AsyncGenerator<StreamEvent, void, undefined> {
      try {
        for (; ; seen.frames += 1) yield next(seen.frames);
      } finally {
        seen.closed = true;
      }
    }
    return { stream: stream(), seen };
  }

  /** And the frame that is too much: of a mebibyte each, the eighth, since ids count. */
  const ENDLESS: Readonly<Record<string, readonly [next: (at: number) => StreamEvent, last: number]>> = {
    'appended text': [() => more('a', text('x'.repeat(MIB))), 8],
    'appended thoughts': [() => more('a', thought('x'.repeat(MIB))), 8],
    'text of new artifacts': [(at) => artifact(`${at}`, text('x'.repeat(MIB))), 8],
    'thoughts of new artifacts': [(at) => artifact(`${at}`, thought('x'.repeat(MIB))), 8],
    'answers that replace each other': [(at) => artifact(`${at}`, whole(`${at}`.padEnd(MIB, 'x'))), 8],
    'long ids': [(at) => more(`${at}`.padEnd(MIB, 'x'), text('x')), 8],
    'empty artifacts': [(at) => artifact(`${at}`), AGENT_LIMITS.heardArtifacts + 1],
  };

  for (const [name, [next, last]] of Object.entries(ENDLESS)) {
    test(`${name} without end: the stream is left, and the end says so`, async () => {
      const { stream, seen } = endless(next);
      const { events, end } = await readToEnd(stream);
      assert.deepEqual(seen, { frames: last - 1, closed: true });
      assert.equal(end.outcome, 'too-large');
      assert.equal(foldedAnswer(events), end.answer, 'what was told is what is kept');
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
    const { stream, seen } = endless(() => more('a', text('x')));
    for await (const _ of typedStream(stream)) break;
    assert.deepEqual(seen, { frames: 0, closed: true });
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

  /** Without a breath the time-out would not be heard. */
  async function* breathing(sent: readonly StreamEvent[]): AsyncGenerator<StreamEvent, void, undefined> {
    for (const [at, event] of sent.entries()) {
      if (at % 500 === 0) await setImmediate();
      yield event;
    }
  }

  for (const [name, round] of Object.entries(SENT)) {
    test(name, async () => {
      const sent = [more('a', text(LONG)), ...Array.from({ length: CHUNKS }, () => round).flat(), DONE];
      let told = 0;
      for await (const event of typedStream(breathing(sent))) told += Number(event.type !== 'end');
      assert.ok(told > CHUNKS);
    });
  }
});

test('a reader that keeps what growing snapshots add does not keep the snapshots', async () => {
  async function* growing(): AsyncGenerator<StreamEvent, void, undefined> {
    let grown = 'x'.repeat(200_000);
    for (let at = 0; at < 200; at += 1) {
      grown += `This is sentence ${at}. `;
      yield artifact('a', text(JSON.parse(JSON.stringify(grown))));
    }
  }
  const before = usedBytes();
  const kept: unknown[] = [];
  for await (const event of typedStream(growing())) kept.push(event);
  assert.equal(kept.length, 201);
  assert.ok(usedBytes() - before < 5 * MIB, 'all the snapshots are 40 MB');
});
