import {
  CALLED,
  FILLED,
  type Field,
  FLAG,
  FREE,
  list,
  MEDIA_TYPES,
  map,
  may,
  must,
  object,
  SHOWN,
  type Shape,
  TEXT,
  TEXTS,
} from './schema.ts';

const SCOPES = must('scopes', map(TEXT));
const TOKEN = must('tokenUrl', CALLED);
const REFRESH = may('refreshUrl', CALLED);

const FLOWS = object(
  [
    may('authorizationCode', object([must('authorizationUrl', CALLED), TOKEN, REFRESH, SCOPES])),
    may('clientCredentials', object([TOKEN, REFRESH, SCOPES])),
    may('implicit', object([must('authorizationUrl', CALLED), REFRESH, SCOPES])),
    may('password', object([TOKEN, REFRESH, SCOPES])),
  ],
  { elsewhere: { deviceCode: 'nothing' } },
);

const scheme = (...fields: readonly Field[]): Shape => ({
  fields: [must('type', TEXT), may('description', TEXT), ...fields],
});

/** A2A 0.3 §5.5.3, which is the Security Scheme Object of OpenAPI 3.0 (rule C4). */
const SCHEMES = map({
  kind: 'variants',
  by: 'type',
  shapes: {
    apiKey: scheme(must('name', FILLED), must('in', { kind: 'text', oneOf: ['header', 'query', 'cookie'] })),
    http: scheme(must('scheme', FILLED), may('bearerFormat', TEXT)),
    oauth2: scheme(must('flows', FLOWS), may('oauth2MetadataUrl', CALLED)),
    openIdConnect: scheme(must('openIdConnectUrl', CALLED)),
    mutualTLS: scheme(),
  },
  elsewhere: Object.fromEntries(
    ['apiKey', 'httpAuth', 'oauth2', 'openIdConnect', 'mtls'].map((name) => [
      `${name}SecurityScheme`,
      'type, with the members of the scheme beside it',
    ]),
  ),
});

const SECURITY = may('security', list(map(TEXTS)));

const CAPABILITIES = object(
  [
    may('streaming', FLAG),
    may('pushNotifications', FLAG),
    may('stateTransitionHistory', FLAG),
    may(
      'extensions',
      list(object([must('uri', FILLED), may('description', TEXT), may('required', FLAG), may('params', FREE)])),
    ),
  ],
  { elsewhere: { extendedAgentCard: 'supportsAuthenticatedExtendedCard of the card' } },
);

const SKILL = object(
  [
    must('id', FILLED),
    must('name', TEXT),
    must('description', TEXT),
    must('tags', TEXTS),
    may('examples', TEXTS),
    may('inputModes', MEDIA_TYPES),
    may('outputModes', MEDIA_TYPES),
    SECURITY,
  ],
  { elsewhere: { securityRequirements: 'security' } },
);

/** The AgentCard of A2A 0.3 §5.5: the tables that rule C1 names. */
export const CARD_0_3: Shape = {
  fields: [
    must('protocolVersion', FILLED),
    must('name', FILLED),
    must('description', TEXT),
    must('url', FILLED),
    may('preferredTransport', FILLED),
    may(
      'additionalInterfaces',
      list(object([must('url', FILLED), must('transport', FILLED)], { elsewhere: { protocolBinding: 'transport' } })),
    ),
    may('iconUrl', SHOWN),
    may('provider', object([must('organization', TEXT), must('url', SHOWN)])),
    must('version', TEXT),
    may('documentationUrl', SHOWN),
    must('capabilities', CAPABILITIES),
    may('securitySchemes', SCHEMES),
    SECURITY,
    must('defaultInputModes', MEDIA_TYPES),
    must('defaultOutputModes', MEDIA_TYPES),
    must('skills', list(SKILL)),
    may('supportsAuthenticatedExtendedCard', FLAG),
    may('signatures', list(object([must('protected', FILLED), must('signature', FILLED), may('header', FREE)]))),
  ],
  elsewhere: {
    supportedInterfaces: 'url, preferredTransport and additionalInterfaces',
    securityRequirements: 'security',
  },
};
