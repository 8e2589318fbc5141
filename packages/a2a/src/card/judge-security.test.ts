import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CARD_0_3, CARD_1_0, changed } from '../../test/cards.ts';
import { validateCard } from '../validate-card.ts';
import type { WireVersion } from '../wire-version.ts';

const CARDS = { '0.3': CARD_0_3, '1.0': CARD_1_0 } as const;

const faults = (card: unknown): readonly string[] =>
  validateCard(card).faults.map(({ path, problem }) => `${path} ${problem}`);
const notes = (card: unknown): readonly string[] => validateCard(card).notes.map(({ path, kind }) => `${path} ${kind}`);

describe('C4 security schemes', () => {
  const scheme = (version: WireVersion, value: unknown): readonly string[] =>
    faults(changed(CARDS[version], ['securitySchemes', 'more'], value)).map((line) =>
      line.replace('$.securitySchemes.more', '@'),
    );

  test('0.3: each type has its fields', () => {
    const table: readonly (readonly [unknown, readonly string[]])[] = [
      [{}, ['@.type missing']],
      [{ type: 'bearer' }, ['@.type not-allowed']],
      [{ type: 'toString' }, ['@.type not-allowed']],
      [{ type: 'apiKey' }, ['@.name missing', '@.in missing']],
      [{ type: 'apiKey', in: 'body', name: 'k' }, ['@.in not-allowed']],
      [{ type: 'http' }, ['@.scheme missing']],
      [{ type: 'oauth2' }, ['@.flows missing']],
      [
        { type: 'oauth2', flows: { implicit: { scopes: ['a'] }, clientCredentials: { tokenUrl: '/token' } } },
        [
          '@.flows.clientCredentials.tokenUrl not-allowed',
          '@.flows.clientCredentials.scopes missing',
          '@.flows.implicit.authorizationUrl missing',
          '@.flows.implicit.scopes wrong-type',
        ],
      ],
      [{ type: 'openIdConnect', openIdConnectUrl: 'urn:x' }, ['@.openIdConnectUrl not-allowed']],
      [{ type: 'mutualTLS' }, []],
    ];
    for (const [value, expected] of table) assert.deepEqual(scheme('0.3', value), expected);
  });

  test('1.0: exactly one of five, and exactly one flow', () => {
    const [http, mtls] = [{ httpAuthSecurityScheme: { scheme: 'Basic' } }, { mtlsSecurityScheme: {} }];
    const table: readonly (readonly [unknown, readonly string[]])[] = [
      [{}, ['@ missing']],
      [{ ...http, ...mtls }, ['@ ambiguous']],
      [mtls, []],
      [
        { apiKeySecurityScheme: { in: 'header', name: '' } },
        ['@.apiKeySecurityScheme.location missing', '@.apiKeySecurityScheme.name empty'],
      ],
      [{ oauth2SecurityScheme: { flows: {} } }, ['@.oauth2SecurityScheme.flows missing']],
      [{ oauth2SecurityScheme: { flows: { implicit: {}, password: {} } } }, ['@.oauth2SecurityScheme.flows ambiguous']],
    ];
    for (const [value, expected] of table) assert.deepEqual(scheme('1.0', value), expected);
  });

  test('1.0: a scheme that a program keeps, rather than sends, is named', () => {
    const kept = { scheme: { $case: 'httpAuthSecurityScheme', value: { scheme: 'bearer' } } };
    const { faults: found } = validateCard(changed(CARD_1_0, ['securitySchemes', 'more'], kept));
    assert.match(found[0]?.message ?? '', /\$case/);
  });

  test("a scheme in the other version's shape is named as such", () => {
    const old = changed(CARD_1_0, ['securitySchemes', 'basic'], CARD_0_3.securitySchemes.basic);
    assert.deepEqual(faults(old), ['$.securitySchemes.basic missing']);
    assert.ok(notes(old).includes('$.securitySchemes.basic.type other-version'));
    const modern = changed(CARD_0_3, ['securitySchemes', 'basic'], CARD_1_0.securitySchemes.basic);
    assert.deepEqual(faults(modern), ['$.securitySchemes.basic.type missing']);
    assert.deepEqual(notes(modern), ['$.securitySchemes.basic.httpAuthSecurityScheme other-version']);
  });
});
