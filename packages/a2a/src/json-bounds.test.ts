import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonExcess } from './json-bounds.ts';

const bounds = { maxDepth: 3, maxStringLength: 5, maxContainers: 6 };

test('a text is judged by its structure and its strings before it is parsed', () => {
  assert.equal(jsonExcess('[[[1]],{"a":{"b":2}},[]]', bounds), undefined);
  assert.equal(jsonExcess('[[[[1]]]]', bounds), 'too-deep');
  assert.equal(jsonExcess('{"a":[{"b":{}}]}', bounds), 'too-deep');
  assert.equal(jsonExcess('[[],[],[],[],[],[]]', bounds), 'too-many-values');
  assert.equal(jsonExcess('["12345"]', bounds), undefined);
  assert.equal(jsonExcess('["123456"]', bounds), 'string-too-long');
  assert.equal(jsonExcess('{"123456":1}', bounds), 'string-too-long');
});

test('brackets in strings are text, and a quote that is escaped ends none', () => {
  assert.equal(jsonExcess('["[[[["]', bounds), undefined);
  assert.equal(jsonExcess('["\\"[[[", "{{{"]', bounds), undefined);
  assert.equal(jsonExcess('["]]]]",[[[1]]]]', bounds), 'too-deep');
});

test('what is no JSON is judged all the same', () => {
  assert.equal(jsonExcess('', bounds), undefined);
  assert.equal(jsonExcess('[[[[', bounds), 'too-deep');
  assert.equal(jsonExcess('"never ends', bounds), 'string-too-long');
  assert.equal(jsonExcess('['.repeat(8_000_000), { ...bounds, maxContainers: 1_000 }), 'too-deep');
});
