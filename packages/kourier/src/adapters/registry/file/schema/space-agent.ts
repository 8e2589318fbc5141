import { exactlyOneOf, type Schema } from './schema.ts';

const ID_OF_RUNTIME: Schema = { type: 'string', minLength: 1, maxLength: 300 };

export const SPACE_AGENT: Schema = {
  type: 'object',
  description: 'An agent in a Space.',
  required: ['space', 'card'],
  properties: {
    id: { type: 'string', format: 'space-id', description: "Its id in the Space; the document's name unless given." },
    space: { type: 'string', format: 'space-id' },
    card: {
      type: 'object',
      oneOf: exactlyOneOf('url', 'file', 'inline'),
      properties: {
        url: { type: 'string', format: 'http-url' },
        file: { type: 'string', format: 'file', description: 'Beside this document, unless absolute.' },
        inline: { type: 'object' },
      },
    },
    reach: { type: 'string', enum: ['inside', 'public', 'vpc', 'tunnel'], description: 'inside unless given.' },
    dialer: { type: 'string', format: 'resource-name', description: 'Of reach vpc.' },
    credential: { type: 'string', format: 'resource-name' },
    url: { type: 'string', format: 'http-url', description: 'Calls go there in place of where the card says.' },
    runtime: {
      type: 'object',
      description: 'Who the agent is told to be (rule A5). Absent: it is not told who calls.',
      required: ['account', 'agent', 'runtime'],
      properties: {
        account: { type: 'string', minLength: 1, maxLength: 64 },
        tenant: { type: 'string', maxLength: 64 },
        agent: ID_OF_RUNTIME,
        runtime: ID_OF_RUNTIME,
      },
    },
    disabled: { type: 'boolean' },
  },
};
