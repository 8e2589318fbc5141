import type { Schema } from './schema.ts';
import { PORTS } from './space.ts';

export const DIALER: Schema = {
  type: 'object',
  description: 'A way into a private network, through a proxy that is asked with HTTP CONNECT.',
  required: ['proxy', 'allow'],
  properties: {
    proxy: { type: 'string', format: 'origin' },
    allow: {
      type: 'object',
      description: 'What it may be asked for.',
      properties: {
        hosts: { type: 'array', maxItems: 1_000, items: { type: 'string', format: 'host-pattern' } },
        cidrs: { type: 'array', maxItems: 1_000, items: { type: 'string', format: 'cidr' } },
      },
    },
    ports: { ...PORTS, description: '443 alone unless given.' },
  },
};
