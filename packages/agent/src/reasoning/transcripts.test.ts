// Reasoning streams of KsADK's runtime, entry by entry: what each frame tells, and what is left at the end.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';
import { sharedFolder } from '../../../../scripts/shared-folder.ts';
import { foldedAnswer, heard, said, streamOf } from '../../test/agent-says.ts';
import type { SpokenEvent } from './said-texts.ts';
import { textStream, UnfinishedTurn } from './text-stream.ts';
import { TurnFold } from './turn-fold.ts';

interface Expected {
  readonly type: string;
  readonly delta: string;
  readonly replace: boolean;
}

type Entry =
  | { readonly kind: 'about' | 'request' | 'private_runtime_state' }
  | { readonly kind: 'wire'; readonly sse_data: { readonly result: unknown }; readonly expect_typed: Expected[] }
  | { readonly kind: 'stored_task_after'; readonly task: unknown }
  | {
      readonly kind: 'result';
      readonly writer_helper_returns: string;
      readonly legacy_string_stream_concatenated: string;
      readonly typed_events_in_order: Expected[];
    };
type Wire = Extract<Entry, { kind: 'wire' }>;

const FOLDER = join(sharedFolder(), 'transcripts', 'reasoning');
const ABSENT = existsSync(FOLDER) ? false : `SKIPPED, nothing shown: there are no transcripts at ${FOLDER}`;
const FILES = ABSENT ? [] : globSync(`${FOLDER}/*.json`).sort();

/** How each of their turns ends; the transcript with a pause has two turns. */
const OUTCOMES: Readonly<Record<string, readonly string[]>> = {
  '05-input-required-then-resume.json': ['paused', 'completed'],
};

const asExpected = (events: readonly SpokenEvent[]): Expected[] =>
  events.map(({ type, delta, replaces }) => ({ type, delta, replace: replaces !== 'nothing' }));

/** The frames of each request's stream. */
function turnsOf(entries: readonly Entry[]): Wire[][] {
  const turns: Wire[][] = [];
  for (const entry of entries) {
    if (entry.kind === 'request') turns.push([]);
    if (entry.kind === 'wire') turns.at(-1)?.push(entry);
  }
  return turns;
}

const eventsOf = (turn: readonly Wire[]) => turn.map(({ sse_data }) => said(sse_data.result));

async function strings(turn: readonly Wire[]): Promise<{ text: string; outcome: string }> {
  let text = '';
  try {
    for await (const piece of textStream(streamOf(eventsOf(turn)))) text += piece;
  } catch (error) {
    assert.ok(error instanceof UnfinishedTurn);
    return { text, outcome: error.end.outcome };
  }
  return { text, outcome: 'completed' };
}

describe('transcripts: reasoning', { skip: ABSENT }, () => {
  test('all are here', () => assert.ok(FILES.length >= 6));

  for (const file of FILES) {
    const name = basename(file);
    const entries = JSON.parse(readFileSync(file, 'utf8')) as Entry[];
    const turns = turnsOf(entries);

    describe(name, () => {
      for (const [index, turn] of turns.entries()) {
        const fold = new TurnFold();
        for (const [at, { sse_data, expect_typed }] of turn.entries()) {
          test(`turn ${index + 1}, frame ${at + 1}: ${expect_typed.map(({ type }) => type).join(', ') || 'nothing'}`, () => {
            assert.deepEqual(asExpected(fold.apply(said(sse_data.result))), expect_typed);
          });
        }
      }

      test('the result: events in order, the answer, the plain strings, the end', async () => {
        const result = entries.find((entry) => entry.kind === 'result');
        assert.ok(result);
        const typed = await Promise.all(turns.map((turn) => heard(eventsOf(turn))));
        const spoken = typed.map(({ events }) => events);
        assert.deepEqual(asExpected(spoken.flat()), result.typed_events_in_order);
        assert.equal(typed.map(({ end }) => end.answer).join(''), result.writer_helper_returns);
        assert.equal(spoken.map(foldedAnswer).join(''), result.writer_helper_returns);
        const plain = await Promise.all(turns.map(strings));
        assert.equal(plain.map(({ text }) => text).join(''), result.legacy_string_stream_concatenated);
        const outcomes = OUTCOMES[name] ?? ['completed'];
        assert.deepEqual(
          typed.map(({ end }) => end.outcome),
          outcomes,
        );
        assert.deepEqual(
          plain.map(({ outcome }) => outcome),
          outcomes,
        );
      });

      for (const entry of entries) {
        if (entry.kind !== 'stored_task_after') continue;
        test('the stored task, read after the stream, is no news', async () => {
          const events = turns.flatMap(eventsOf);
          const before = await heard(events);
          assert.deepEqual(await heard([...events, said({ task: entry.task })]), before);
        });
        test('the stored task alone has the same answer', async () => {
          const [alone, streamed] = await Promise.all([
            heard([said({ task: entry.task })]),
            heard(turns.flatMap(eventsOf)),
          ]);
          assert.equal(alone.end.answer, streamed.end.answer);
          assert.deepEqual(alone.events, streamed.events);
        });
      }
    });
  }
});
