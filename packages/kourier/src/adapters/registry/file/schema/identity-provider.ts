import { PRINCIPAL_KINDS } from '../../../../core/access/principal.ts';
import { GRANT } from './api-key.ts';
import type { Schema } from './schema.ts';

const CLAIM: Schema = { type: 'string', minLength: 1, maxLength: 256 };

export const IDENTITY_PROVIDER: Schema = {
  type: 'object',
  description: 'An OpenID Connect issuer whose tokens say who calls.',
  required: ['issuer', 'audience', 'grants'],
  properties: {
    issuer: { type: 'string', format: 'http-url', description: 'To the letter as its tokens say it.' },
    audience: { type: 'string', minLength: 1, maxLength: 1_024 },
    jwksUrl: { type: 'string', format: 'http-url' },
    kind: { type: 'string', enum: PRINCIPAL_KINDS, description: 'user unless given.' },
    tenant: { type: 'string', format: 'line', description: 'Of all its callers; default unless given.' },
    tenantClaim: { ...CLAIM, description: 'In place of tenant: the claim that names it.' },
    grants: {
      type: 'array',
      minItems: 1,
      maxItems: 1_000,
      items: {
        type: 'object',
        required: ['space', 'role'],
        properties: {
          ...GRANT,
          when: {
            type: 'object',
            required: ['claim', 'has'],
            properties: { claim: CLAIM, has: { type: 'string', minLength: 1, maxLength: 1_024 } },
          },
        },
      },
    },
  },
};
