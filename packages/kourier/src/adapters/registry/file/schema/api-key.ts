import { PRINCIPAL_KINDS, ROLES } from '../../../../core/access/principal.ts';
import type { Schema } from './schema.ts';

/** A Space and a role in it. */
export const GRANT = {
  space: { type: 'string', format: 'space-or-all' },
  role: { type: 'string', enum: ROLES },
} as const satisfies Record<string, Schema>;

export const API_KEY: Schema = {
  type: 'object',
  description: 'What is kept of an API key. Its name is whose it is.',
  required: ['sha256', 'grants'],
  properties: {
    sha256: { type: 'string', format: 'sha256', description: 'Of the whole key.' },
    tenant: { type: 'string', format: 'line', description: 'default unless given.' },
    kind: { type: 'string', enum: PRINCIPAL_KINDS, description: 'service unless given.' },
    expiresAt: { type: 'string', format: 'time' },
    grants: {
      type: 'array',
      minItems: 1,
      maxItems: 1_000,
      items: { type: 'object', required: ['space', 'role'], properties: GRANT },
    },
  },
};
