import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StreamEvent } from '@agentkourier/a2a/model';
import fc from 'fast-check';
import {
  artifact,
  foldedAnswer,
  heard,
  more,
  type SaidPart,
  said,
  status,
  task,
  text,
  thought,
  whole,
} from '../../test/agent-says.ts';

const CHARACTERS = fc.constantFrom('a', 'b', 'é', '漢', '🙂', ' ', '\n');
const word = (minLength: number) => fc.string({ unit: CHARACTERS, minLength, maxLength: 12 });

/** What is told of a turn: pieces of one kind in one artifact, then of another; artifacts may take turns. */
const TURN = fc.array(
  fc.record({
    id: fc.constantFrom('a', 'b', 'c'),
    thinks: fc.boolean(),
    pieces: fc.array(word(1), { minLength: 1, maxLength: 6 }),
  }),
  { minLength: 1, maxLength: 6 },
);
type Turn = typeof TURN extends fc.Arbitrary<infer T> ? T : never;

/** What stands between two pieces, or how a piece comes. */
const SPRINKLED = fc.array(fc.constantFrom('nothing', 'artifact', 'extended', 'task', 'old task', 'work'), {
  minLength: 40,
  maxLength: 40,
});

/** A turn on the wire, with snapshots that say again what was said, or say it before a chunk does. */
function onTheWire(turn: Turn, sprinkled: readonly string[]): StreamEvent[] {
  const events: StreamEvent[] = [];
  const stored = new Map<string, readonly SaidPart[]>();
  const whole = () => [...stored].map(([id, parts]) => [id, ...parts] as const);
  const pieces = turn.flatMap(({ id, thinks, pieces }) => pieces.map((piece) => ({ id, part: told(piece, thinks) })));
  for (const [at, { id, part }] of pieces.entries()) {
    const between = sprinkled[at];
    const before = stored.get(id);
    const old = whole();
    stored.set(id, [...(before ?? []), part]);
    const all = artifact(id, ...(stored.get(id) ?? []));
    if (between === 'extended') events.push(all);
    else events.push(before === undefined ? artifact(id, part) : more(id, part));
    if (between === 'artifact') events.push(all);
    if (between === 'task') events.push(task('TASK_STATE_WORKING', whole()));
    if (between === 'old task') events.push(task('TASK_STATE_WORKING', old));
    if (between === 'work') events.push(status('TASK_STATE_WORKING', 'Working on it.'));
  }
  return [...events, status('TASK_STATE_COMPLETED', 'Done.'), task('TASK_STATE_COMPLETED', whole())];
}

const told = (piece: string, thinks: boolean): SaidPart => (thinks ? thought(piece) : text(piece));

const spokenBy = (turn: Turn, thinks: boolean): string =>
  turn.flatMap((segment) => (segment.thinks === thinks ? segment.pieces : [])).join('');

/** Artifact after artifact, in the order of their first text. */
function answerOf(turn: Turn): string {
  const texts = new Map<string, string>();
  for (const { id, thinks, pieces } of turn) if (!thinks) texts.set(id, (texts.get(id) ?? '') + pieces.join(''));
  return [...texts.values()].join('');
}

/** Kinds as they alternate. */
const alternation = (types: readonly string[]): string[] => types.filter((type, index) => type !== types[index - 1]);

test('however a text is cut, and whatever is said again, it is told once and in its order', () => {
  return fc.assert(
    fc.asyncProperty(TURN, SPRINKLED, async (turn, sprinkled) => {
      const { events, end } = await heard(onTheWire(turn, sprinkled));
      const heardOf = (type: string): string =>
        events.flatMap((event) => (event.type === type ? [event.delta] : [])).join('');
      assert.ok(events.every(({ replaces, delta }) => replaces === 'nothing' && delta !== ''));
      assert.equal(heardOf('text'), spokenBy(turn, false));
      assert.equal(heardOf('thinking'), spokenBy(turn, true));
      assert.equal(end.answer, answerOf(turn));
      assert.deepEqual(
        alternation(events.map(({ type }) => type)),
        alternation(turn.map(({ thinks }) => (thinks ? 'thinking' : 'text'))),
      );
      assert.equal(end.outcome, 'completed');
    }),
    { numRuns: 500 },
  );
});

const SHORT = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 3 });
const PART: fc.Arbitrary<SaidPart> = fc.oneof(
  SHORT.map(text),
  SHORT.map(thought),
  SHORT.map(whole),
  fc.constant({ data: { name: 'tool' } }),
  SHORT.map((partial) => ({ text: partial, metadata: { adk_partial: true } })),
);
const PARTS = fc.array(PART, { maxLength: 3 });
const ID = fc.constantFrom('', 'a', 'b', '__proto__');
const STATE = fc.constantFrom(
  'TASK_STATE_WORKING',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_COMPLETED',
  'nonsense',
  '',
);
const SNAPSHOT = fc.array(fc.tuple(ID, PARTS), { maxLength: 3 });
const ANY_EVENT: fc.Arbitrary<StreamEvent> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(ID, PARTS).map(([id, parts]) => more(id, ...parts)) },
  { weight: 4, arbitrary: fc.tuple(ID, PARTS).map(([id, parts]) => artifact(id, ...parts)) },
  fc.tuple(STATE, SNAPSHOT).map(([state, artifacts]) =>
    task(
      state,
      artifacts.map(([id, parts]) => [id, ...parts]),
    ),
  ),
  STATE.map((state) => status(state)),
  PARTS.map((parts) => said({ message: { messageId: 'm', role: 'ROLE_AGENT', parts } })),
);

describe('whatever an agent sends', () => {
  test('who applies the events one by one has the answer that stands at the end', () => {
    return fc.assert(
      fc.asyncProperty(fc.array(ANY_EVENT, { maxLength: 12 }), async (sent) => {
        const { events, end } = await heard(sent);
        assert.equal(foldedAnswer(events), end.answer);
        assert.ok(events.every(({ delta, replaces }) => delta !== '' || replaces !== 'nothing'));
      }),
      { numRuns: 1_000 },
    );
  });

  test('a task that is read twice tells nothing the second time', () => {
    return fc.assert(
      fc.asyncProperty(fc.array(ANY_EVENT, { maxLength: 8 }), SNAPSHOT, async (sent, artifacts) => {
        const again = task(
          'TASK_STATE_WORKING',
          artifacts.map(([id, parts]) => [id, ...parts]),
        );
        const once = await heard([...sent, again]);
        assert.deepEqual(await heard([...sent, again, again]), once);
      }),
      { numRuns: 1_000 },
    );
  });
});
