import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { usedBytes } from '../../test/used-bytes.ts';
import { GrownText } from './grown-text.ts';

const MIB = 1_048_576;
const SHORT = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 6 });

/** The same as plain strings. */
interface Model {
  known: string;
  liveFrom: number;
}

const STEP: fc.Arbitrary<(text: GrownText, model: Model) => void> = fc.oneof(
  SHORT.map((piece) => (text: GrownText, model: Model) => {
    text.append(piece);
    model.known += piece;
  }),
  fc.tuple(SHORT, fc.nat(6)).map(([whole, at]) => (text: GrownText, model: Model) => {
    const liveFrom = Math.min(at, whole.length);
    text.set(whole, liveFrom);
    Object.assign(model, { known: whole, liveFrom });
  }),
  fc.constant((text: GrownText, model: Model) => {
    text.retire();
    model.liveFrom = model.known.length;
  }),
);

test('it is what plain strings are', () => {
  fc.assert(
    fc.property(fc.array(STEP, { maxLength: 8 }), SHORT, fc.nat(4), (steps, other, at) => {
      const text = new GrownText();
      const model: Model = { known: '', liveFrom: 0 };
      for (const step of steps) step(text, model);
      const { known } = model;
      const live = known.slice(model.liveFrom);
      assert.equal(text.length, known.length);
      assert.equal(text.live(), live);
      assert.equal(text.liveLength, live.length);
      for (const compared of [other, known, known + other, known.slice(0, at), `${known.slice(0, at)}${live}`]) {
        assert.equal(text.equals(compared), known === compared);
        assert.equal(text.isPrefixOf(compared), compared.startsWith(known));
        assert.equal(text.startsWith(compared), known.startsWith(compared));
        assert.equal(text.livesIn(compared, at), compared.startsWith(live, at) || live === '');
      }
    }),
    { numRuns: 2_000 },
  );
});

test('tiny pieces are not kept one by one', () => {
  const before = usedBytes();
  const text = new GrownText();
  for (let at = 0; at < 1_000_000; at += 1) text.append(at.toString().padStart(7));
  assert.ok(usedBytes() - before < 10 * MIB, 'as pieces they are 32 MiB and more');
  assert.equal(text.length, 7_000_000);
});
