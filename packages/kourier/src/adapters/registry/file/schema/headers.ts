import { exactlyOneOf, type Schema } from './schema.ts';
import { SECRET_REFERENCE } from './secret-reference.ts';

/** Headers that calls carry: each with its value, or with a secret in its place. */
export const HEADERS: Schema = {
  type: 'array',
  maxItems: 64,
  description: 'Static headers on every call.',
  items: {
    type: 'object',
    required: ['name'],
    oneOf: exactlyOneOf('value', 'valueFrom'),
    properties: {
      name: { type: 'string', format: 'header-name' },
      value: { type: 'string', format: 'header-value' },
      valueFrom: {
        type: 'object',
        required: ['secretKeyRef'],
        properties: { secretKeyRef: SECRET_REFERENCE },
      },
    },
  },
};
