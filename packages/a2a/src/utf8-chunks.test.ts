import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Utf8Chunks } from './utf8-chunks.ts';

test('the texts joined are those of the whole, for valid and invalid bytes alike', () => {
  const edges = fc.constantFrom(
    0x41,
    0x80,
    0x8f,
    0x90,
    0x9f,
    0xa0,
    0xbf,
    0xc0,
    0xc2,
    0xe0,
    0xe2,
    0xed,
    0xf0,
    0xf4,
    0xf5,
    0xff,
  );
  const bytes = fc.array(edges, { maxLength: 12 }).map((items) => Uint8Array.from(items));
  fc.assert(
    fc.property(fc.array(bytes), (chunks) => {
      const decoder = new Utf8Chunks();
      const text = chunks.map((chunk) => decoder.decode(chunk)).join('') + decoder.end();
      const all = Uint8Array.from(chunks.flatMap((chunk) => [...chunk]));
      assert.equal(text, new TextDecoder('utf-8', { ignoreBOM: true }).decode(all));
    }),
    { numRuns: 2_000 },
  );
});
