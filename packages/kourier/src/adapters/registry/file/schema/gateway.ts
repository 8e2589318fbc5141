import { exactlyOneOf, type Schema } from './schema.ts';

const DURATION: Schema = { type: 'string', format: 'duration' };

export const GATEWAY: Schema = {
  type: 'object',
  description: 'What holds for the whole gateway.',
  properties: {
    publicUrl: {
      type: 'string',
      format: 'http-url',
      description: 'What published cards name. Absent: where the gateway listens, which is loopback then.',
    },
    store: {
      type: 'object',
      description: 'Read at the start only.',
      oneOf: exactlyOneOf('sqlite', 'postgres'),
      properties: {
        sqlite: { type: 'object', properties: { path: { type: 'string', minLength: 1, maxLength: 4_096 } } },
        postgres: {
          type: 'object',
          required: ['url'],
          properties: { url: { type: 'string', format: 'postgres-url' } },
        },
      },
    },
    permits: { type: 'object', properties: { validFor: DURATION } },
    health: {
      type: 'object',
      properties: {
        every: DURATION,
        timeout: DURATION,
        failures: { type: 'integer', minimum: 1, maximum: 100 },
      },
    },
    cards: { type: 'object', properties: { sign: { type: 'boolean' } } },
  },
};
