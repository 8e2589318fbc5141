import { HEADERS } from './headers.ts';
import type { Schema } from './schema.ts';
import { ORIGINS } from './space.ts';

export const CREDENTIAL: Schema = {
  type: 'object',
  description: 'Headers that calls to some agents carry, to these origins and to no other.',
  required: ['origins', 'headers'],
  properties: { origins: { ...ORIGINS, minItems: 1 }, headers: { ...HEADERS, minItems: 1 } },
};
