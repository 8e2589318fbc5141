import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { canonicalJson } from './canonical-json.ts';

/** RFC 8785 §3.2.2 to §3.2.4, and the further inputs of its author's test data. */
const TEXTS: readonly (readonly [input: string, expected: string])[] = [
  [
    String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  ],
  [
    String.raw`{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}`,
    '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
  ],
  ['[56,{"d":true,"10":null,"1":[ ]}]', '[56,{"1":[],"10":null,"d":true}]'],
  [
    '{"1":{"f":{"f":"hi","F":5},"\\n":56.0},"10":{},"":"empty","a":{},"111":[{"e":"yes","E":"no"}],"A":{}}',
    '{"":"empty","1":{"\\n":56,"f":{"F":5,"f":"hi"}},"10":{},"111":[{"E":"no","e":"yes"}],"A":{},"a":{}}',
  ],
  ['{"Unnormalized Unicode":"A\\u030a"}', '{"Unnormalized Unicode":"A\u030a"}'],
  ['{"peach":1,"péché":2,"pêche":3,"sin":4}', '{"peach":1,"péché":2,"pêche":3,"sin":4}'],
];

/** RFC 8785, appendix B. */
const NUMBERS: Readonly<Record<string, string | undefined>> = {
  '0000000000000000': '0',
  '8000000000000000': '0',
  '0000000000000001': '5e-324',
  '8000000000000001': '-5e-324',
  '7fefffffffffffff': '1.7976931348623157e+308',
  ffefffffffffffff: '-1.7976931348623157e+308',
  '4340000000000000': '9007199254740992',
  c340000000000000: '-9007199254740992',
  '4430000000000000': '295147905179352830000',
  '7fffffffffffffff': undefined,
  '7ff0000000000000': undefined,
  '44b52d02c7e14af5': '9.999999999999997e+22',
  '44b52d02c7e14af6': '1e+23',
  '44b52d02c7e14af7': '1.0000000000000001e+23',
  '444b1ae4d6e2ef4e': '999999999999999700000',
  '444b1ae4d6e2ef4f': '999999999999999900000',
  '444b1ae4d6e2ef50': '1e+21',
  '3eb0c6f7a0b5ed8c': '9.999999999999997e-7',
  '3eb0c6f7a0b5ed8d': '0.000001',
  '41b3de4355555553': '333333333.3333332',
  '41b3de4355555554': '333333333.33333325',
  '41b3de4355555555': '333333333.3333333',
  '41b3de4355555556': '333333333.3333334',
  '41b3de4355555557': '333333333.33333343',
  becbf647612f3696: '-0.0000033333333333333333',
  '43143ff3c1cb0959': '1424953923781206.2',
};

describe('RFC 8785', () => {
  test('its texts', () => {
    for (const [input, expected] of TEXTS) assert.equal(canonicalJson(JSON.parse(input)), expected);
  });

  test('its numbers', () => {
    for (const [hex, expected] of Object.entries(NUMBERS))
      assert.equal(canonicalJson(Buffer.from(hex, 'hex').readDoubleBE()), expected, hex);
  });

  test('what has no canonical form has none, wherever it stands', () => {
    for (const value of ['\ud800', Number.NaN, undefined, 1n, new Date(0), new Map(), () => 0, Symbol('s')]) {
      assert.equal(canonicalJson(value), undefined);
      assert.equal(canonicalJson({ a: [value] }), undefined);
    }
    assert.equal(canonicalJson({ '\udead': 1 }), undefined);
  });

  test('nesting is bounded', () => {
    const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
    assert.equal(canonicalJson(nested(64))?.length, 128);
    assert.equal(canonicalJson(nested(65)), undefined);
    assert.equal(canonicalJson(nested(5_000)), undefined);
  });

  test('a member named __proto__ is a member', () => {
    assert.equal(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":2}}')), '{"__proto__":{"a":2},"b":1}');
  });

  test('the form is JSON of the same value, does not depend on the order of members, and is its own form', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.parse(JSON.stringify(value)) as unknown;
        const text = canonicalJson(json, 1_000) ?? '';
        assert.deepEqual(JSON.parse(text), json);
        assert.equal(canonicalJson(reversed(json), 1_000), text);
        assert.equal(canonicalJson(JSON.parse(text), 1_000), text);
      }),
    );
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, item]) => [name, reversed(item)]),
  );
}
