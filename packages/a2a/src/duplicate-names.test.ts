import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { duplicateNames } from './duplicate-names.ts';

test('a member that stands twice is told by its path, however it is escaped', () => {
  const table: Readonly<Record<string, readonly string[]>> = {
    '{"a":1,"b":{"a":2}}': [],
    '{"a":1,"a":2}': ['$.a'],
    '{"a":1,"\\u0061":2}': ['$.a'],
    '{"x":[{"k":"k","v":"k"},{"k":[],"k":{}}]}': ['$.x[1].k'],
    '{"x":{"y z":{"q":0,"q":1}}}': ['$.x["y z"].q'],
    '["a","a",{"a":"}","b":"\\"{,"}]': [],
    '"a"': [],
    '{"__proto__":1,"__proto__":2}': ['$.__proto__'],
  };
  for (const [text, expected] of Object.entries(table)) assert.deepEqual(duplicateNames(text), expected, text);
});

test('no text that was made from a value has one', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => duplicateNames(JSON.stringify(value)).length === 0));
});
