import {
  CALLED,
  FILLED,
  type Field,
  FLAG,
  FREE,
  type Kind,
  list,
  MEDIA_TYPES,
  map,
  may,
  must,
  object,
  plain,
  SHOWN,
  type Shape,
  TEXT,
  TEXTS,
} from './schema.ts';

const DESCRIPTION = plain('description', TEXT);
const SCOPES = must('scopes', map(TEXT));
const TOKEN = must('tokenUrl', CALLED);
const REFRESH = plain('refreshUrl', CALLED);

/** `implicit` and `password` are deprecated, and A2A 1.0 marks none of their members as required. */
const FLOWS = object(
  [
    may(
      'authorizationCode',
      object([must('authorizationUrl', CALLED), TOKEN, REFRESH, SCOPES, plain('pkceRequired', FLAG)]),
    ),
    may('clientCredentials', object([TOKEN, REFRESH, SCOPES])),
    may('implicit', object([plain('authorizationUrl', CALLED), REFRESH, plain('scopes', map(TEXT))])),
    may('password', object([plain('tokenUrl', CALLED), REFRESH, plain('scopes', map(TEXT))])),
    may('deviceCode', object([must('deviceAuthorizationUrl', CALLED), TOKEN, REFRESH, SCOPES])),
  ],
  { choice: true },
);

const scheme = (name: string, ...fields: readonly Field[]): Field => may(name, object([DESCRIPTION, ...fields]));

/** A2A 1.0 §4.5: a scheme is an object with one member, whose name says which of the five it is (rule C4). */
const SCHEME: Kind = object(
  [
    scheme(
      'apiKeySecurityScheme',
      must('location', { kind: 'text', oneOf: ['header', 'query', 'cookie'] }),
      must('name', FILLED),
    ),
    scheme('httpAuthSecurityScheme', must('scheme', FILLED), plain('bearerFormat', TEXT)),
    scheme('oauth2SecurityScheme', must('flows', FLOWS), plain('oauth2MetadataUrl', CALLED)),
    scheme('openIdConnectSecurityScheme', must('openIdConnectUrl', CALLED)),
    scheme('mtlsSecurityScheme'),
  ],
  {
    choice: true,
    elsewhere: {
      type: 'a member that is named after the type, as httpAuthSecurityScheme, with the others in it',
      in: 'location in apiKeySecurityScheme',
    },
  },
);

const REQUIREMENTS = plain(
  'securityRequirements',
  list(object([plain('schemes', map(object([plain('list', TEXTS)])))])),
);

const INTERFACE = object(
  [must('url', FILLED), must('protocolBinding', FILLED), plain('tenant', TEXT), must('protocolVersion', FILLED)],
  { elsewhere: { transport: 'protocolBinding' } },
);

const CAPABILITIES = object(
  [
    may('streaming', FLAG),
    may('pushNotifications', FLAG),
    plain('extensions', list(object([must('uri', FILLED), DESCRIPTION, plain('required', FLAG), may('params', FREE)]))),
    may('extendedAgentCard', FLAG),
  ],
  { elsewhere: { stateTransitionHistory: 'nothing' } },
);

const SKILL = object(
  [
    must('id', FILLED),
    must('name', TEXT),
    must('description', TEXT),
    must('tags', TEXTS),
    plain('examples', TEXTS),
    plain('inputModes', MEDIA_TYPES),
    plain('outputModes', MEDIA_TYPES),
    REQUIREMENTS,
  ],
  { elsewhere: { security: 'securityRequirements' } },
);

/** The AgentCard of A2A 1.0 §4.4, with the presence of each member as §5.7 defines it. */
export const CARD_1_0: Shape = {
  fields: [
    must('name', FILLED),
    must('description', TEXT),
    must('supportedInterfaces', { kind: 'list', of: INTERFACE, filled: true }),
    may('provider', object([must('url', SHOWN), must('organization', TEXT)])),
    must('version', TEXT),
    may('documentationUrl', SHOWN),
    must('capabilities', CAPABILITIES),
    plain('securitySchemes', map(SCHEME)),
    REQUIREMENTS,
    must('defaultInputModes', MEDIA_TYPES),
    must('defaultOutputModes', MEDIA_TYPES),
    must('skills', list(SKILL)),
    plain('signatures', list(object([must('protected', FILLED), must('signature', FILLED), may('header', FREE)]))),
    may('iconUrl', SHOWN),
  ],
  elsewhere: {
    protocolVersion: 'protocolVersion in each of supportedInterfaces',
    url: 'url in each of supportedInterfaces',
    preferredTransport: 'protocolBinding in each of supportedInterfaces',
    additionalInterfaces: 'supportedInterfaces',
    security: 'securityRequirements',
    supportsAuthenticatedExtendedCard: 'extendedAgentCard of the capabilities',
  },
};
