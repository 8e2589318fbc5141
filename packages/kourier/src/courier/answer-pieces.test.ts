import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Part } from '../core/reply/agent-event.ts';
import { call, chunk, result, task, text } from '../core/reply/fixtures/agent-says.ts';
import { Told } from './fixtures/told.ts';

describe('whatever the agent does', () => {
  const words = fc.string({ maxLength: 4 }).map((said) => text(said));
  const id = fc.constantFrom('c1', 'c2', undefined);
  const part: fc.Arbitrary<Part> = fc.oneof(
    { weight: 3, arbitrary: words },
    id.map((callId) => call(callId)),
    fc.tuple(id, fc.integer({ max: 2, min: 0 })).map(([callId, said]) => result(callId, said)),
  );
  const parts = fc.array(part, { maxLength: 4 });
  const artifactId = fc.constantFrom('a', 'b');
  const happening: fc.Arbitrary<(told: Told) => unknown> = fc.oneof(
    fc.tuple(parts, fc.boolean(), artifactId).map((said) => (told: Told) => told.hear(chunk(...said))),
    fc
      .array(fc.tuple(artifactId, parts), { maxLength: 3 })
      .map((artifacts) => (told: Told) => told.hear(task('working', { artifacts }))),
    fc.constant((told: Told) => told.commit()),
    fc.constant((told: Told) => told.commit(told.answer.changes(false))),
    fc.constant((told: Told) => told.commit().answered()),
  );
  const happenings = fc.array(happening, { maxLength: 25 });

  it('its pieces are its text, and nothing that stands loses its place', () => {
    fc.assert(
      fc.property(happenings, (story) => {
        const told = new Told();
        for (const happen of story) {
          const before = [...told.timeline.keys()];
          happen(told);
          told.commit();
          assert.equal(told.text, told.answer.reply.text());
          assert.deepEqual([...told.timeline.keys()].slice(0, before.length), before);
        }
        told.finish();
        assert.equal(told.text, told.answer.reply.text());
        assert.ok([...told.timeline.values()].every((entry) => entry.kind !== 'step' || entry.state !== 'running'));
        assert.ok([...told.timeline.values()].every((entry) => entry.kind !== 'answer' || !entry.streaming));
      }),
      { numRuns: 300, seed: 3 },
    );
  });

  it('also when it is taken up: with the whole task its pieces are the task’s text', () => {
    fc.assert(
      fc.property(
        happenings,
        happenings,
        fc.array(fc.tuple(artifactId, parts), { maxLength: 3 }),
        (story, more, artifacts) => {
          const told = new Told();
          for (const happen of story) happen(told);
          told.commit();
          const shown = told.text;
          told.restart();
          assert.deepEqual(
            told.answer.changes(false).filter(({ kind }) => kind === 'step'),
            [],
          );
          assert.equal(told.commit().text, shown);
          for (const happen of more) happen(told);
          told.hear(task('completed', { artifacts })).finish();
          assert.equal(told.text, told.answer.reply.text());
        },
      ),
      { numRuns: 300, seed: 5 },
    );
  });
});
