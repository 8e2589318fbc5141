import { exactlyOneOf, requiredUnless, type Schema } from './schema.ts';
import { SECRET_REFERENCE } from './secret-reference.ts';

const DURATION: Schema = { type: 'string', format: 'duration' };
const CHAT_ID: Schema = { type: 'string', minLength: 1, maxLength: 256 };

export const BINDING: Schema = {
  type: 'object',
  description: 'Threads of a chat platform, and the agent that answers in them.',
  required: ['chat'],
  oneOf: exactlyOneOf('backend', 'space'),
  anyOf: requiredUnless('identity', 'space'),
  properties: {
    backend: { type: 'string', format: 'resource-name' },
    space: {
      type: 'object',
      description: 'In place of a backend: each thread gets an agent of a Space, and stays with it.',
      required: ['name'],
      oneOf: exactlyOneOf('agent', 'skill', 'route'),
      properties: {
        name: { type: 'string', format: 'resource-name', description: 'Of a SpaceConnection.' },
        agent: { type: 'string', format: 'space-id', description: 'This agent.' },
        skill: { type: 'string', format: 'line', description: 'The id of a skill: an agent that has it.' },
        route: { type: 'object', properties: {}, description: 'Whom the first message of the thread is for.' },
      },
    },
    agent: {
      type: 'object',
      description: 'kagent-v1 only.',
      required: ['namespace', 'name'],
      properties: {
        namespace: { type: 'string', format: 'label-name' },
        name: { type: 'string', format: 'resource-name' },
      },
    },
    identity: {
      type: 'object',
      description: 'With a backend: who the courier is to the agent, a bearer token or a user id.',
      oneOf: exactlyOneOf('tokenSecretRef', 'userId'),
      properties: {
        tokenSecretRef: SECRET_REFERENCE,
        userId: { type: 'string', format: 'header-value' },
      },
    },
    chat: {
      type: 'object',
      required: ['platform'],
      properties: {
        platform: { type: 'string', format: 'resource-name' },
        channels: {
          type: 'array',
          maxItems: 1_000,
          description: 'Not on web: the ids of the channels whose mentions are answered.',
          items: CHAT_ID,
        },
        bots: {
          type: 'object',
          description: 'Not on web: other bots whose mentions are answered. Absent: none.',
          required: ['allowed'],
          properties: {
            allowed: {
              type: 'array',
              maxItems: 100,
              description: 'Ids of bots, or of their users.',
              items: CHAT_ID,
            },
            turnsInARow: {
              type: 'integer',
              minimum: 1,
              maximum: 100,
              description: 'Turns that bots begin in a thread before a person has to write. 3 unless told.',
            },
          },
        },
        directMessages: { type: 'boolean', description: 'Not on web: whether direct messages are answered.' },
      },
    },
    hooks: {
      type: 'object',
      description: 'Ways in for other programs. An absent key is shut.',
      properties: {
        generic: {
          type: 'object',
          description:
            'POST /hooks/generic/NAME: events that are signed with this secret, of which no other binding knows.',
          required: ['signingSecretRef'],
          properties: { signingSecretRef: SECRET_REFERENCE },
        },
      },
    },
    interactions: {
      type: 'object',
      description: 'What the agent may ask people. An absent key is not allowed.',
      properties: {
        questions: { type: 'object', required: ['timeout'], properties: { timeout: DURATION } },
        toolApprovals: {
          type: 'object',
          required: ['timeout'],
          properties: {
            timeout: DURATION,
            approvers: {
              type: 'array',
              maxItems: 1_000,
              description: 'Absent: anyone in the thread.',
              items: CHAT_ID,
            },
          },
        },
      },
    },
  },
};
