import { DEMO, document, GRANTS, issuer, key } from '../fixtures/space-documents.ts';
import { type RefusedTable, testRefused } from '../fixtures/test-refused.ts';
import { readSpaceConfiguration } from './read-space-configuration.ts';

const ISSUER = 'issuer: https://login.example';

const TABLE: RefusedTable = {
  'a grant in an unknown Space': [
    `${DEMO}${key('grants: [{ space: dmo, role: caller }]')}`,
    'f.yaml:9: ApiKey ci: Space dmo is not known; write demo',
  ],
  'a grant in the Space of another tenant': [
    `${DEMO}${document('Space', 'ours', '{ tenant: acme }')}${key(`tenant: acme, ${GRANTS}`)}`,
    'f.yaml:14: ApiKey ci: Space demo is of tenant default, and this of acme; correct one of them',
  ],
  'a tenant without a Space': [
    `${document('Space', 'ours', '{ tenant: acme }')}${key('tenant: acmee, grants: [{ space: "*", role: caller }]')}`,
    'f.yaml:9: ApiKey ci: tenant acmee has no Space; write acme, or add a Space with tenant: acmee',
  ],
  'an unknown role': [
    `${DEMO}${key('grants: [{ space: demo, role: admin }]')}`,
    'f.yaml:9: ApiKey ci: grants[0].role is not known; write one of caller, publisher, operator',
  ],
  'two roles in a Space': [
    `${DEMO}${key('grants: [{ space: demo, role: caller }, { space: demo, role: operator }]')}`,
    'f.yaml:9: ApiKey ci: Space demo stands here twice; keep the greater role',
  ],
  'a key that is good for nothing': [
    `${DEMO}${key('grants: []')}`,
    'f.yaml:9: ApiKey ci: grants names nothing; write at least one',
  ],
  'a day that no month has': [
    `${DEMO}${key(`expiresAt: 2030-02-30, ${GRANTS}`)}`,
    'f.yaml:9: ApiKey ci: expiresAt is no time; write a day, as 2030-01-31, or 2030-01-31T12:00:00Z',
  ],
  'the whole key in place of its hash': [
    `${DEMO}${document('ApiKey', 'ci', `{ sha256: kourier_ci_hush, ${GRANTS} }`)}`,
    'f.yaml:9: ApiKey ci: sha256 is no SHA-256; write 64 small hex digits, as kourier space key prints them',
  ],
  'a key twice': [
    `${DEMO}${key(GRANTS)}${key(GRANTS).replace('name: ci', 'name: cd')}`,
    'f.yaml:14: ApiKey cd: its key is that of ApiKey ci at f.yaml:6; keep one of them',
  ],

  // IdentityProvider
  'keys that anybody could hand in': [
    `${DEMO}${issuer(`issuer: http://login.example, ${GRANTS}`)}`,
    'f.yaml:9: IdentityProvider staff: issuer is not https: whoever is on the way could hand in keys; write https://, or an https jwksUrl',
  ],
  'keys at an address that anybody could answer for': [
    `${DEMO}${issuer(`${ISSUER}, jwksUrl: http://login.example/keys, ${GRANTS}`)}`,
    'f.yaml:9: IdentityProvider staff: jwksUrl is not https: whoever is on the way could hand in keys; write https://',
  ],
  'a tenant twice': [
    `${DEMO}${issuer(`${ISSUER}, tenant: default, tenantClaim: org, ${GRANTS}`)}`,
    'f.yaml:9: IdentityProvider staff: tenant and tenantClaim stand here both; keep one of them',
  ],
  'a rule without its end': [
    `${DEMO}${issuer(`${ISSUER}, grants: [{ space: demo, role: caller, when: { claim: groups } }]`)}`,
    'f.yaml:9: IdentityProvider staff: grants[0].when.has is missing; add has',
  ],
  'a rule in an unknown Space, whoever names the tenant': [
    `${DEMO}${issuer(`${ISSUER}, tenantClaim: org, grants: [{ space: dmo, role: caller }]`)}`,
    'f.yaml:9: IdentityProvider staff: Space dmo is not known; write demo',
  ],
};

testRefused(TABLE, readSpaceConfiguration);
