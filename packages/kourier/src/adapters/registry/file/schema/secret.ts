import type { Schema } from './schema.ts';

/** A whole document: a Secret has no `spec`. For development; elsewhere secrets are mounted. */
export const SECRET: Schema = {
  type: 'object',
  properties: {
    type: { type: 'string', maxLength: 253 },
    immutable: { type: 'boolean' },
    stringData: { type: 'object', additionalProperties: { type: 'string' } },
    data: { type: 'object', additionalProperties: { type: 'string', format: 'base64' } },
  },
};
