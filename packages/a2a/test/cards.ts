/** The complete example of the 0.3 contract, with what it leaves out. */
export const CARD_0_3 = {
  protocolVersion: '0.3.0',
  name: 'Copywriter Agent',
  description: 'Generates marketing copy from a structured brief.',
  url: 'https://copywriter.agents.example.com/',
  preferredTransport: 'JSONRPC',
  additionalInterfaces: [
    { url: 'https://copywriter.agents.example.com/', transport: 'JSONRPC' },
    { url: 'https://grpc.example.com:443', transport: 'GRPC' },
    { url: 'https://copywriter.agents.example.com/rest', transport: 'HTTP+JSON' },
  ],
  iconUrl: 'https://storyteq.com/icon.png',
  provider: { organization: 'Storyteq', url: 'https://storyteq.com' },
  version: '1.2.0',
  documentationUrl: 'https://docs.example.com/agents/copywriter',
  capabilities: {
    streaming: true,
    pushNotifications: false,
    stateTransitionHistory: false,
    extensions: [{ uri: 'https://example.com/ext', description: 'More.', required: false, params: { depth: 2.5 } }],
  },
  securitySchemes: {
    key: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'Ask us.' },
    query: { type: 'apiKey', in: 'query', name: 'key' },
    cookie: { type: 'apiKey', in: 'cookie', name: 'key' },
    basic: { type: 'http', scheme: 'Basic' },
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    oauth: {
      type: 'oauth2',
      oauth2MetadataUrl: 'https://id.example.com/.well-known/oauth-authorization-server',
      flows: {
        authorizationCode: {
          authorizationUrl: 'https://id.example.com/authorize',
          tokenUrl: 'https://id.example.com/token',
          refreshUrl: 'https://id.example.com/refresh',
          scopes: { write: 'Write copy' },
        },
        clientCredentials: { tokenUrl: 'https://id.example.com/token', scopes: {} },
        implicit: { authorizationUrl: 'https://id.example.com/authorize', scopes: {} },
        password: { tokenUrl: 'https://id.example.com/token', scopes: {} },
      },
    },
    oidc: { type: 'openIdConnect', openIdConnectUrl: 'https://id.example.com/.well-known/openid-configuration' },
    mtls: { type: 'mutualTLS' },
  },
  security: [{ key: [] }, { oauth: ['write'], mtls: [] }],
  defaultInputModes: ['text/plain', 'application/json'],
  defaultOutputModes: ['text/plain'],
  skills: [
    {
      id: 'generate-copy',
      name: 'Generate copy',
      description: 'Produces marketing copy from a structured brief.',
      tags: ['copywriting', 'marketing'],
      examples: ['Write three subject lines for a spring sale email.'],
      inputModes: ['text/plain'],
      outputModes: ['text/markdown; charset=utf-8'],
      security: [{ bearer: [] }],
    },
  ],
  supportsAuthenticatedExtendedCard: false,
} as const;

/** The same agent as A2A 1.0 describes it. */
export const CARD_1_0 = {
  name: CARD_0_3.name,
  description: CARD_0_3.description,
  supportedInterfaces: [
    { url: 'https://copywriter.agents.example.com/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url: 'https://grpc.example.com:443', protocolBinding: 'GRPC', protocolVersion: '1.0', tenant: 'eu' },
    { url: 'https://copywriter.agents.example.com/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '0.3' },
  ],
  provider: CARD_0_3.provider,
  version: CARD_0_3.version,
  documentationUrl: CARD_0_3.documentationUrl,
  capabilities: {
    streaming: true,
    pushNotifications: false,
    extensions: [{ uri: 'https://example.com/ext', description: 'More.', required: true, params: { depth: 2.5 } }],
    extendedAgentCard: false,
  },
  securitySchemes: {
    key: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key', description: 'Ask us.' } },
    query: { apiKeySecurityScheme: { location: 'query', name: 'key' } },
    cookie: { apiKeySecurityScheme: { location: 'cookie', name: 'key' } },
    basic: { httpAuthSecurityScheme: { scheme: 'Basic' } },
    bearer: { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT' } },
    oauth: {
      oauth2SecurityScheme: {
        flows: {
          authorizationCode: {
            authorizationUrl: 'https://id.example.com/authorize',
            tokenUrl: 'https://id.example.com/token',
            scopes: { write: 'Write copy' },
            pkceRequired: true,
          },
        },
        oauth2MetadataUrl: 'https://id.example.com/.well-known/oauth-authorization-server',
      },
    },
    device: {
      oauth2SecurityScheme: {
        flows: {
          deviceCode: {
            deviceAuthorizationUrl: 'https://id.example.com/device',
            tokenUrl: 'https://id.example.com/token',
            scopes: { write: 'Write copy' },
          },
        },
      },
    },
    oidc: {
      openIdConnectSecurityScheme: { openIdConnectUrl: 'https://id.example.com/.well-known/openid-configuration' },
    },
    mtls: { mtlsSecurityScheme: { description: 'A certificate of ours.' } },
  },
  securityRequirements: [{ schemes: { oauth: { list: ['write'] } } }],
  defaultInputModes: ['text/plain', 'application/json'],
  defaultOutputModes: ['text/plain'],
  skills: [
    {
      id: 'generate-copy',
      name: 'Generate copy',
      description: 'Produces marketing copy from a structured brief.',
      tags: ['copywriting', 'marketing'],
      examples: ['Write three subject lines for a spring sale email.'],
      inputModes: ['text/plain'],
      outputModes: ['text/markdown; charset=utf-8'],
      securityRequirements: [{ schemes: { device: { list: ['write'] } } }],
    },
  ],
  iconUrl: CARD_0_3.iconUrl,
} as const;

/** The card with a value in place of what stands at `path`; `undefined` takes it out. */
export function changed(card: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const copy = structuredClone(card);
  const last = path.at(-1) ?? '';
  let at = copy as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) at = at[step] as Record<string | number, unknown>;
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}
