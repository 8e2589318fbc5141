import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CARD_0_3, CARD_1_0 } from '../../test/cards.ts';
import { canonicalJson } from '../canonical-json.ts';
import type { WireVersion } from '../wire-version.ts';
import { type CanonicalForm, signedTexts } from './card-forms.ts';

const formsOf = (card: object, version: WireVersion = '1.0') =>
  Object.fromEntries(
    signedTexts({ ...card }, version).map(({ form, text, uncovered }) => [form, { text, uncovered }]),
  ) as Record<CanonicalForm, { text: string; uncovered: readonly string[] }>;

describe('what is signed', () => {
  /** A2A 1.0 §8.4.1. */
  const EXAMPLE = {
    name: 'Example Agent',
    description: '',
    capabilities: { streaming: false, pushNotifications: false, extensions: [] },
    skills: [],
  };

  test("C017 presence is the specification's own example", () => {
    const { presence } = formsOf(EXAMPLE);
    assert.equal(
      presence.text,
      '{"capabilities":{"pushNotifications":false,"streaming":false},"description":"","name":"Example Agent","skills":[]}',
    );
    assert.deepEqual(presence.uncovered, ['$.capabilities.extensions']);
  });

  test('C017 the other forms: as it came, without what is empty, without every default', () => {
    const forms = formsOf(EXAMPLE);
    assert.deepEqual(Object.keys(forms), ['presence', 'as-served', 'no-empties', 'no-defaults']);
    assert.equal(forms['as-served'].text, canonicalJson(EXAMPLE));
    assert.deepEqual(forms['as-served'].uncovered, []);
    assert.equal(
      forms['no-empties'].text,
      '{"capabilities":{"pushNotifications":false,"streaming":false},"name":"Example Agent"}',
    );
    assert.equal(forms['no-defaults'].text, '{"name":"Example Agent"}');
    assert.deepEqual(forms['no-defaults'].uncovered, ['$.description', '$.capabilities', '$.skills']);
  });

  test('whole cards are the same in all forms but for their defaults; security schemes are in each', () => {
    for (const [card, version] of [
      [CARD_0_3, '0.3'],
      [CARD_1_0, '1.0'],
    ] as const) {
      const forms = formsOf(card, version);
      assert.equal(forms.presence.text, forms['as-served'].text);
      for (const { text } of Object.values(forms)) {
        assert.match(text, /"tokenUrl":"https:\/\/id.example.com\/token"/);
        assert.match(text, /"authorizationUrl":"https:\/\/id.example.com\/authorize"/);
      }
    }
  });

  test('presence: null and what has no presence are absent, what is required or was set is not', () => {
    const card = {
      iconUrl: null,
      documentationUrl: '',
      securityRequirements: [{ schemes: { key: { list: [] } } }],
      securitySchemes: {
        oauth: { oauth2SecurityScheme: { flows: { implicit: {} } } },
        mtls: { mtlsSecurityScheme: {} },
      },
      supportedInterfaces: [{ url: '', tenant: '' }],
      skills: [{ tags: [], examples: [] }],
      'x-mine': { empty: [], no: null },
    };
    assert.deepEqual(JSON.parse(formsOf(card).presence.text), {
      documentationUrl: '',
      securityRequirements: [{ schemes: { key: {} } }],
      securitySchemes: {
        oauth: { oauth2SecurityScheme: { flows: { implicit: {} } } },
        mtls: { mtlsSecurityScheme: {} },
      },
      supportedInterfaces: [{ url: '' }],
      skills: [{ tags: [] }],
      'x-mine': { empty: [], no: null },
    });
  });

  test('an alternative that asks for nothing is told when a form leaves it out', () => {
    const card = { name: 'A', securityRequirements: [{}, { schemes: { key: { list: ['a'] } } }] };
    const { presence, 'no-empties': stripped } = formsOf(card);
    assert.deepEqual(presence.uncovered, []);
    assert.deepEqual(stripped.uncovered, ['$.securityRequirements']);
  });

  test('signatures are never in it, and members named like those of every object are', () => {
    const card = JSON.parse('{"name":"A","signatures":[{}],"__proto__":{"a":1},"constructor":"c"}') as object;
    for (const { text, uncovered } of Object.values(formsOf(card))) {
      assert.equal(text, '{"__proto__":{"a":1},"constructor":"c","name":"A"}');
      assert.deepEqual(uncovered, []);
    }
  });

  test('a card without a canonical form has none', () => {
    assert.deepEqual(signedTexts({ name: '\ud800' }, '1.0'), []);
    assert.deepEqual(signedTexts(JSON.parse(`{"x":${'['.repeat(70)}${']'.repeat(70)}}`), '1.0'), []);
  });
});
