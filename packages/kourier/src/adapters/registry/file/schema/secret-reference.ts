import type { Schema } from './schema.ts';

/** Where a secret value stands: a key of a Secret document, or of a folder below `--set secrets.dir`. */
export const SECRET_REFERENCE: Schema = {
  type: 'object',
  required: ['name', 'key'],
  properties: {
    name: { type: 'string', format: 'resource-name' },
    key: { type: 'string', format: 'secret-key' },
  },
};
