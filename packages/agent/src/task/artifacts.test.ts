import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ArtifactChange, Artifacts } from './artifacts.ts';

/** As many names as make both few and many of them. */
const change: fc.Arbitrary<ArtifactChange> = fc.record({
  artifact: fc.record({
    artifactId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
    parts: fc.array(fc.record({ text: fc.string() }), { minLength: 1, maxLength: 2 }),
  }),
  append: fc.boolean(),
});

test('few or many artifacts: each keeps its place, its text, and what it weighs', () => {
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const artifacts = new Artifacts();
      const texts = new Map<string, string>();
      for (const each of changes) {
        const { artifactId, parts } = each.artifact;
        assert.equal(artifacts.has(artifactId), texts.has(artifactId));
        assert.equal(artifacts.revision(artifactId), texts.has(artifactId) ? 1 : 0);
        artifacts.apply(each);
        const text = parts.map((part) => ('text' in part ? part.text : '')).join('');
        texts.set(artifactId, each.append ? (texts.get(artifactId) ?? '') + text : text);
      }
      const kept = artifacts.all().map(({ artifactId, parts }) => {
        return [artifactId, parts.map((part) => ('text' in part ? part.text : '')).join('')];
      });
      assert.deepEqual(kept, [...texts]);
      assert.equal(artifacts.size, texts.size);
      assert.equal(artifacts.characters, [...texts.values()].join('').length);
    }),
  );
});
