import { arrayOf, isObject, type JsonObject } from '@agentkourier/a2a/json-value';

type Loose = Record<string, unknown>;

/** Which of the two forms of 0.3: that of JSON-RPC, or that of HTTP, which spells security as 1.0 does. */
type Form = 'json' | 'proto';

/** Where an agent speaks is the same for everybody, so it is taken from the public card of 0.3. */
const WHERE = ['protocolVersion', 'url', 'preferredTransport', 'additionalInterfaces'] as const;

/**
 * The fuller card of an agent, which is of A2A 1.0 (rule C6), in 0.3. Its signatures are left out: they are over the
 * other card.
 */
export function printExtendedCard(card: JsonObject, publicCard: JsonObject, form: Form): JsonObject {
  const {
    supportedInterfaces: _interfaces,
    signatures: _signatures,
    capabilities,
    skills,
    securitySchemes,
    securityRequirements,
    ...rest
  } = card as Loose;
  const { extendedAgentCard: _extended, ...able } = isObject(capabilities) ? (capabilities as Loose) : {};
  return {
    ...rest,
    ...Object.fromEntries(WHERE.map((key) => [key, publicCard[key]])),
    capabilities: able,
    ...(skills === undefined ? {} : { skills: arrayOf(skills).map((skill) => printSkill(skill, form)) }),
    ...(isObject(securitySchemes) ? { securitySchemes: printSchemes(securitySchemes, form) } : {}),
    ...(securityRequirements === undefined ? {} : { security: printSecurity(securityRequirements, form) }),
    supportsAuthenticatedExtendedCard: true,
  };
}

function printSkill(skill: unknown, form: Form): unknown {
  if (!isObject(skill) || skill['securityRequirements'] === undefined) return skill;
  const { securityRequirements, ...rest } = skill as Loose;
  return { ...rest, security: printSecurity(securityRequirements, form) };
}

/** `[{ schemes: { bearer: { list: ['read'] } } }]` is `[{ bearer: ['read'] }]`. */
function printSecurity(requirements: unknown, form: Form): readonly unknown[] {
  if (form === 'proto') return arrayOf(requirements);
  return arrayOf(requirements).map((requirement) => {
    const schemes = isObject(requirement) && isObject(requirement['schemes']) ? requirement['schemes'] : {};
    return Object.fromEntries(
      Object.entries(schemes).map(([name, scopes]) => [name, isObject(scopes) ? arrayOf(scopes['list']) : []]),
    );
  });
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['apiKeySecurityScheme', 'apiKey'],
  ['httpAuthSecurityScheme', 'http'],
  ['oauth2SecurityScheme', 'oauth2'],
  ['openIdConnectSecurityScheme', 'openIdConnect'],
  ['mtlsSecurityScheme', 'mutualTLS'],
]);

/** `{ key: { apiKeySecurityScheme: { location, name } } }` is `{ key: { type: 'apiKey', in, name } }`. */
function printSchemes(schemes: JsonObject, form: Form): JsonObject {
  if (form === 'proto') return schemes;
  return Object.fromEntries(
    Object.entries(schemes).map(([name, scheme]) => {
      const [[member, fields] = ['', {}]] = Object.entries(isObject(scheme) ? scheme : {});
      const { location, ...rest } = (isObject(fields) ? fields : {}) as Loose;
      return [
        name,
        { type: TYPES.get(member) ?? member, ...rest, ...(location === undefined ? {} : { in: location }) },
      ];
    }),
  );
}
