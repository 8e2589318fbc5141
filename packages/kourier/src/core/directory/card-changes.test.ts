import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cardChanges } from './card-changes.ts';
import { ENDPOINT } from './fixtures/registered.ts';
import { DIRECTORY_LIMITS } from './limits.ts';
import { needsApproval } from './needs-approval.ts';
import type { Json } from './registered-agent.ts';

const CARD: Json = {
  name: 'N',
  description: 'D',
  capabilities: { streaming: true, extensions: [{ uri: 'urn:a', required: true }] },
  supportedInterfaces: [
    { url: 'http://a/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url: 'http://a/', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
  ],
  skills: [
    { id: 'one', name: 'One', tags: ['a'] },
    { id: 'two', name: 'Two', tags: ['b'] },
  ],
};
const [one, two] = CARD['skills'] as readonly [Json, Json];
const [rpc, http] = CARD['supportedInterfaces'] as readonly [Json, Json];

describe('the changes of a card', () => {
  const told = (after: Json): readonly string[] =>
    cardChanges(CARD, after).map(({ path, kind, before, after }) => [path, kind, before, after].join(' ').trim());

  it('are none when it says the same, in whatever order its members come', () => {
    assert.deepEqual(told(structuredClone(CARD)), []);
    assert.deepEqual(told(Object.fromEntries(Object.entries(CARD).reverse())), []);
  });

  it('have a path each, and what was and what is', () => {
    const { description: _, ...rest } = CARD;
    const after = {
      ...rest,
      name: 'M',
      version: '2',
      'odd name': 1,
      capabilities: { streaming: false, extensions: [] },
    };
    assert.deepEqual(told(after), [
      '$.name changed "N" "M"',
      '$.description removed "D"',
      '$.capabilities.streaming changed true false',
      '$.capabilities.extensions[0] removed {"uri":"urn:a","required":true}',
      '$.version added  "2"',
      '$["odd name"] added  1',
    ]);
  });

  it('know skills by their id, wherever they stand', () => {
    assert.deepEqual(told({ ...CARD, skills: [two] }), [`$.skills[0] removed ${JSON.stringify(one)}`]);
    assert.deepEqual(told({ ...CARD, skills: [{ id: 'new' }, one, { ...two, name: 'Zwei', tags: ['b', 'c'] }] }), [
      '$.skills[0] added  {"id":"new"}',
      '$.skills[2].name changed "Two" "Zwei"',
      '$.skills[2].tags changed ["b"] ["b","c"]',
    ]);
  });

  it('know interfaces by where and how they are called, and say when another comes first', () => {
    assert.deepEqual(told({ ...CARD, supportedInterfaces: [{ ...http, tenant: 't' }] }), [
      '$.supportedInterfaces[0] added  {"url":"http://a/","protocolBinding":"HTTP+JSON","protocolVersion":"1.0","tenant":"t"}',
      `$.supportedInterfaces[0] removed ${JSON.stringify(rpc)}`,
      `$.supportedInterfaces[1] removed ${JSON.stringify(http)}`,
    ]);
    assert.deepEqual(told({ ...CARD, supportedInterfaces: [http, rpc] }), [
      '$.supportedInterfaces changed ["http://a/ JSONRPC 1.0","http://a/ HTTP+JSON 1.0"] ["http://a/ HTTP+JSON 1.0","http://a/ JSONRPC 1.0"]',
    ]);
  });

  it('take a list as a whole when its elements have no name of their own, or share one', () => {
    const after = { ...CARD, skills: [one, { ...one, name: 'Double' }] };
    assert.deepEqual(
      cardChanges(CARD, after).map(({ path, kind }) => `${path} ${kind}`),
      ['$.skills changed'],
    );
  });

  it('are not taken in by names that every object has', () => {
    const odd = JSON.parse('{"__proto__": {"a": 1}, "constructor": "x"}') as Json;
    assert.deepEqual(
      cardChanges({}, odd).map(({ path, kind }) => `${path} ${kind}`),
      ['$.__proto__ added', '$.constructor added'],
    );
    assert.equal(cardChanges(odd, {}).length, 2);
  });

  it('are bounded, and the rest is counted', () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`m${at}`, 'x'.repeat(10_000)]));
    const changes = cardChanges({}, many);
    assert.equal(changes.length, DIRECTORY_LIMITS.cardChanges + 1);
    assert.deepEqual(changes.at(-1), { path: '$', kind: 'changed', after: '"900 more changes"' });
    assert.ok(changes.every(({ after = '' }) => after.length <= DIRECTORY_LIMITS.cardChangeCharacters));
    const name = 'n'.repeat(100_000);
    assert.equal(cardChanges({}, { [name]: 1 })[0]?.path.length, DIRECTORY_LIMITS.cardChangeCharacters);
  });
});

describe('an operator is asked', () => {
  const before = { card: CARD, endpoints: [ENDPOINT], signedBy: ['k1'] };
  const asks = (after: Partial<typeof before>): readonly string[] => needsApproval(before, { ...before, ...after });

  it('not for what only describes', () => {
    assert.deepEqual(asks({}), []);
    assert.deepEqual(asks({ card: { ...CARD, description: 'E', skills: [], signatures: [{ protected: 'x' }] } }), []);
  });

  for (const [what, change] of [
    ['URL', { url: 'http://b/' }],
    ['binding', { binding: 'HTTP+JSON' }],
    ['version', { version: '0.3' }],
    ['tenant', { tenant: 't' }],
  ] as const) {
    it(`for an endpoint's ${what}`, () =>
      assert.deepEqual(asks({ endpoints: [{ ...ENDPOINT, ...change }] }), ['endpoints']));
  }

  it('for one endpoint more or less, and not for their order', () => {
    const other = { ...ENDPOINT, url: 'http://b/' };
    assert.deepEqual(asks({ endpoints: [ENDPOINT, other] }), ['endpoints']);
    assert.deepEqual(asks({ endpoints: [] }), ['endpoints']);
    const [left, right] = [
      { ...before, endpoints: [ENDPOINT, other] },
      { ...before, endpoints: [other, ENDPOINT] },
    ];
    assert.deepEqual(needsApproval(left, right), []);
  });

  it('for signers that came or went', () => {
    assert.deepEqual(asks({ signedBy: [] }), ['signers']);
    assert.deepEqual(asks({ signedBy: ['k1', 'k2'] }), ['signers']);
  });

  it('for schemes and requirements, those of skills included', () => {
    const key = { k: { apiKeySecurityScheme: { location: 'header', name: 'x' } } };
    assert.deepEqual(asks({ card: { ...CARD, securitySchemes: key } }), ['security']);
    assert.deepEqual(asks({ card: { ...CARD, security: [{ k: [] }] } }), ['security']);
    assert.deepEqual(asks({ card: { ...CARD, securityRequirements: [{ schemes: { k: {} } }] } }), ['security']);
    assert.deepEqual(asks({ card: { ...CARD, skills: [{ ...one, security: [{ k: [] }] }, two] } }), ['security']);
    assert.deepEqual(asks({ card: { ...CARD, skills: [two, one], securitySchemes: {} } }), []);
  });
});
