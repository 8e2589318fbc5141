import type { Schema } from './schema.ts';
import { SECRET_REFERENCE } from './secret-reference.ts';

export const SPACE_CONNECTION: Schema = {
  type: 'object',
  description: 'A Space whose agents bindings take, and who the courier is to it.',
  required: ['url', 'id'],
  properties: {
    url: { type: 'string', format: 'http-url', description: 'Of the gateway; every call goes through it.' },
    id: { type: 'string', format: 'space-id', description: 'Of the Space.' },
    keySecretRef: { ...SECRET_REFERENCE, description: 'An API key or a token of the Space. Absent: its local mode.' },
  },
};
