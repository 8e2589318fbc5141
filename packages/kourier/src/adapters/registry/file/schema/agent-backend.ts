import { HEADERS } from './headers.ts';
import type { Schema } from './schema.ts';

export const AGENT_BACKEND: Schema = {
  type: 'object',
  description: 'Where an agent is reached, and what every call to it carries.',
  required: ['dialect', 'url'],
  properties: {
    dialect: { type: 'string', enum: ['a2a', 'kagent-v1'] },
    url: {
      type: 'string',
      format: 'http-url',
      description: 'a2a: the endpoint. kagent-v1: its base; the endpoint is url + /agents/NAMESPACE/NAME.',
    },
    card: {
      type: 'object',
      description: 'Where the agent card is, when it is not at its well-known place below the endpoint.',
      required: ['url'],
      properties: { url: { type: 'string', format: 'http-url' } },
    },
    headers: HEADERS,
    egress: {
      type: 'object',
      required: ['mode'],
      properties: { mode: { type: 'string', enum: ['direct', 'public'] } },
    },
  },
};
