import { exactlyOneOf, type Schema } from './schema.ts';

const DURATION: Schema = { type: 'string', format: 'duration' };

export const SETTINGS: Schema = {
  type: 'object',
  description: 'What holds for the whole courier. Every wait of the contract, and where the store is.',
  properties: {
    store: {
      type: 'object',
      description: 'Read at the start only.',
      oneOf: exactlyOneOf('sqlite', 'postgres'),
      properties: {
        sqlite: { type: 'object', properties: { path: { type: 'string', minLength: 1, maxLength: 4_096 } } },
        postgres: {
          type: 'object',
          required: ['url'],
          properties: { url: { type: 'string', minLength: 1, maxLength: 4_096 } },
        },
      },
    },
    timings: {
      type: 'object',
      properties: {
        responseHeaders: DURATION,
        streamIdle: DURATION,
        streamDropDelay: DURATION,
        followBackoffInitial: DURATION,
        followBackoffMax: DURATION,
        retryBackoffInitial: DURATION,
        retryBackoffMax: DURATION,
        giveUpAfter: DURATION,
        busyNoticeAfter: DURATION,
        lifelessAfter: DURATION,
        cancelAttempts: { type: 'integer', minimum: 1, maximum: 100 },
      },
    },
  },
};
