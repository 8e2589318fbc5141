import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseExact } from './exact-json.ts';

test('what is written again stands as it came', () => {
  for (const text of [
    '{"a":1234567890123456789,"b":[1.0,-0,1E400,0.1,1e-7,12],"c":"1.0"}',
    '{"__proto__":{"x":1.50},"constructor":null}',
    '"é\u2028"',
    '-0.0',
  ])
    assert.equal(JSON.stringify(parseExact(text)), text);
  assert.deepEqual(parseExact('{"a":[1,true,null,"x"]}'), { a: [1, true, null, 'x'] });
  assert.throws(() => parseExact('{'), SyntaxError);
});

test('any value is written again as JSON writes it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      assert.equal(JSON.stringify(parseExact(text)), text);
    }),
  );
});
