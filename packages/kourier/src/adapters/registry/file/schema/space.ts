import { exactlyOneOf, type Schema } from './schema.ts';
import { SECRET_REFERENCE } from './secret-reference.ts';

export const PORTS: Schema = {
  type: 'array',
  maxItems: 100,
  items: { type: 'integer', minimum: 1, maximum: 65_535 },
};

export const ORIGINS: Schema = { type: 'array', maxItems: 100, items: { type: 'string', format: 'origin' } };

export const SPACE: Schema = {
  type: 'object',
  description: 'A set of agents with its policy. Its name is its id.',
  properties: {
    tenant: { type: 'string', format: 'line', description: 'Whose it is; default unless given.' },
    egress: {
      type: 'object',
      properties: {
        public: { type: 'boolean', description: 'Whether agents of reach public are called. false unless given.' },
        ports: { ...PORTS, description: 'Of agents of reach public; 443 alone unless given.' },
        trustedHosts: {
          type: 'array',
          maxItems: 100,
          description: 'HOST:PORT, reached at whatever address it has, over plain HTTP too.',
          items: { type: 'string', format: 'host-port' },
        },
      },
    },
    signatures: {
      type: 'object',
      properties: {
        required: { type: 'boolean', description: 'Whether a card needs a signature of one of the keys.' },
        keys: {
          type: 'array',
          maxItems: 100,
          items: {
            type: 'object',
            oneOf: exactlyOneOf('jwk', 'jwkFile'),
            properties: {
              jwk: { type: 'object', description: 'A public key (RFC 7517).' },
              jwkFile: { type: 'string', format: 'file', description: 'A file with one, or with a JWK Set.' },
              origins: { ...ORIGINS, description: 'For whose cards it counts. Absent: for all.' },
            },
          },
        },
      },
    },
    events: {
      type: 'array',
      maxItems: 20,
      description: 'Where the events of its tasks go.',
      items: {
        type: 'object',
        required: ['name', 'url', 'secretRef'],
        properties: {
          name: { type: 'string', format: 'resource-name' },
          url: { type: 'string', format: 'http-url' },
          secretRef: SECRET_REFERENCE,
        },
      },
    },
  },
};
