import type { Schema } from './schema.ts';

const TEXTS: Schema = { type: 'object', additionalProperties: { type: 'string' } };

export const METADATA: Schema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', format: 'resource-name' },
    namespace: { type: 'string', format: 'label-name' },
    labels: TEXTS,
    annotations: TEXTS,
  },
};
