import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readSecurity, type Security } from './read-security.ts';

const plain = ({ schemes, requirements, skills }: Security) => ({
  schemes: Object.fromEntries(schemes),
  requirements: requirements.map((one) => Object.fromEntries(one)),
  skills: [...skills.keys()],
});

test('C4 both versions say the same in their own words', () => {
  const old = readSecurity({
    securitySchemes: {
      key: { type: 'apiKey', in: 'cookie', name: 'sid' },
      basic: { type: 'http', scheme: 'Basic' },
      flow: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://t', scopes: {} }, implicit: {} } },
      open: { type: 'openIdConnect', openIdConnectUrl: 'https://o' },
      cert: { type: 'mutualTLS' },
    },
    security: [{ key: [], flow: ['a'] }, {}],
    skills: [{ id: 's', security: [{ cert: [] }] }, { id: 'free' }],
  });
  const current = readSecurity({
    securitySchemes: {
      key: { apiKeySecurityScheme: { location: 'cookie', name: 'sid' } },
      basic: { httpAuthSecurityScheme: { scheme: 'Basic' } },
      flow: { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: 'https://t' }, implicit: {} } } },
      open: { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://o' } },
      cert: { mtlsSecurityScheme: {} },
    },
    securityRequirements: [{ schemes: { key: {}, flow: { list: ['a'] } } }, { schemes: {} }],
    skills: [{ id: 's', securityRequirements: [{ schemes: { cert: { list: [] } } }] }, { id: 'free' }],
  });
  assert.deepEqual(plain(old), {
    schemes: {
      key: { kind: 'apiKey', in: 'cookie', name: 'sid' },
      basic: { kind: 'http', scheme: 'basic' },
      flow: { kind: 'oauth2', flows: ['clientCredentials', 'implicit'], tokenUrl: 'https://t' },
      open: { kind: 'openIdConnect', url: 'https://o' },
      cert: { kind: 'mutualTLS' },
    },
    requirements: [{ key: [], flow: ['a'] }, {}],
    skills: ['s'],
  });
  assert.deepEqual(plain(current), plain(old));
});

test('cards as the official JavaScript SDK publishes them', () => {
  const flow = { $case: 'clientCredentials', value: { tokenUrl: 'https://t', scopes: {} } };
  const { schemes } = readSecurity({
    securitySchemes: {
      bearer: { scheme: { $case: 'httpAuthSecurityScheme', value: { scheme: 'Bearer', description: '' } } },
      flow: { scheme: { $case: 'oauth2SecurityScheme', value: { flows: { flow } } } },
    },
  });
  assert.deepEqual(Object.fromEntries(schemes), {
    bearer: { kind: 'http', scheme: 'bearer' },
    flow: { kind: 'oauth2', flows: ['clientCredentials'], tokenUrl: 'https://t' },
  });
});

test('what is no scheme is one of an unknown kind, and any JSON is read without an exception', () => {
  const schemes = { a: 1, b: {}, c: { type: 'apiKey', in: 'body', name: 'x' }, d: { type: 'magic' } };
  const kinds = [...readSecurity({ securitySchemes: schemes }).schemes.values()].map(({ kind }) => kind);
  assert.deepEqual(kinds, ['unknown', 'unknown', 'unknown', 'unknown']);
  const names = ['securitySchemes', 'security', 'securityRequirements', 'skills'];
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), fc.jsonValue()), (card) => {
      readSecurity(card);
    }),
  );
});
