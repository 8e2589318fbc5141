import { exactlyOneOf, type Schema } from './schema.ts';
import { SECRET_REFERENCE } from './secret-reference.ts';

export const CHAT_PLATFORM: Schema = {
  type: 'object',
  description: 'A chat platform other than the built-in web. Its name is the platform id.',
  oneOf: exactlyOneOf('slack'),
  properties: {
    slack: {
      type: 'object',
      required: ['mode', 'botTokenSecretRef'],
      properties: {
        mode: {
          type: 'string',
          enum: ['socket', 'http'],
          description:
            'socket: the app calls Slack, and needs appTokenSecretRef. http: Slack calls the app, and signingSecretRef is needed.',
        },
        botTokenSecretRef: SECRET_REFERENCE,
        appTokenSecretRef: SECRET_REFERENCE,
        signingSecretRef: SECRET_REFERENCE,
        apiUrl: {
          type: 'string',
          format: 'http-url',
          description: 'For a proxy or a test; https://slack.com/api/ unless given.',
        },
      },
    },
  },
};
