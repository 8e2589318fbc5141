import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PassingMap } from './passing-map.ts';

const step = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  thing: fc.option(fc.nat(), { nil: undefined }),
});

test('whatever comes and goes, it has what a map has, in the same order', () => {
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const [ours, map] = [new PassingMap<number>(), new Map<string, number>()];
      for (const { id, thing } of steps) {
        if (thing === undefined) ours.delete(id);
        else ours.set(id, thing);
        if (thing === undefined) map.delete(id);
        else map.set(id, thing);
        assert.equal(ours.get(id), map.get(id));
        assert.equal(ours.size, map.size);
        assert.deepEqual([...ours.values()], [...map.values()]);
      }
    }),
  );
});
