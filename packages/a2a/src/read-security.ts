import { arrayOf, isObject, type JsonObject, objectOf, textOf, textsOf } from './json-value.ts';

/** One of the five kinds of security schemes, of either version (rule C4). `unknown`: declared, but none of them. */
export type SecurityScheme =
  | { readonly kind: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  /** `scheme` in lower case: `basic`, `bearer`, or another of HTTP's. */
  | { readonly kind: 'http'; readonly scheme: string }
  /** `tokenUrl`: of the client credentials flow, where the card offers that. */
  | { readonly kind: 'oauth2'; readonly flows: readonly string[]; readonly tokenUrl: string | undefined }
  | { readonly kind: 'openIdConnect'; readonly url: string }
  | { readonly kind: 'mutualTLS' }
  | { readonly kind: 'unknown' };

/** Schemes that are wanted together, by name, each with its scopes. Empty: nothing is wanted. */
export type SecurityRequirement = ReadonlyMap<string, readonly string[]>;

export interface Security {
  readonly schemes: ReadonlyMap<string, SecurityScheme>;
  /** Any one of them will do; none: nothing is wanted. */
  readonly requirements: readonly SecurityRequirement[];
  /** The same for skills that want more, by the skill's id. */
  readonly skills: ReadonlyMap<string, readonly SecurityRequirement[]>;
}

/** What a card of either version asks of its callers. */
export function readSecurity(card: JsonObject): Security {
  const schemes = new Map<string, SecurityScheme>();
  const declared = card['securitySchemes'];
  for (const [name, scheme] of isObject(declared) ? Object.entries(declared) : [])
    schemes.set(name, readScheme(scheme));
  const skills = new Map<string, readonly SecurityRequirement[]>();
  for (const skill of arrayOf(card['skills'])) {
    const id = textOf(objectOf<'id'>(skill)?.id);
    const requirements = isObject(skill) ? readRequirements(skill) : [];
    if (id !== undefined && requirements.length > 0) skills.set(id, requirements);
  }
  return { schemes, requirements: readRequirements(card), skills };
}

type WireScheme = 'type' | 'in' | 'location' | 'name' | 'scheme' | 'flows' | 'openIdConnectUrl';

function readScheme(written: unknown): SecurityScheme {
  const value = unwrapped(isObject(written) ? (written['scheme'] ?? written) : written) ?? written;
  if (!isObject(value)) return { kind: 'unknown' };
  for (const [member, type] of WRAPPERS) {
    if (isObject(value[member])) return schemeOf(type, value[member]);
  }
  return schemeOf(textOf(value['type']) ?? '', value);
}

/** The official JavaScript SDK publishes its own form of what is one of several: `{ $case: name, value }`. */
function unwrapped(value: unknown): JsonObject | undefined {
  const name = textOf(objectOf<'$case'>(value)?.$case);
  return name === undefined ? undefined : { [name]: objectOf<'value'>(value)?.value };
}

/** How 1.0 says the type of a scheme: by the name of the member that it stands in. */
const WRAPPERS: readonly (readonly [string, string])[] = [
  ['apiKeySecurityScheme', 'apiKey'],
  ['httpAuthSecurityScheme', 'http'],
  ['oauth2SecurityScheme', 'oauth2'],
  ['openIdConnectSecurityScheme', 'openIdConnect'],
  ['mtlsSecurityScheme', 'mutualTLS'],
];

function schemeOf(type: string, value: JsonObject): SecurityScheme {
  const scheme = objectOf<WireScheme>(value) ?? {};
  switch (type) {
    case 'apiKey': {
      const place = textOf(scheme.in) ?? textOf(scheme.location);
      const name = textOf(scheme.name);
      if (!name || (place !== 'header' && place !== 'query' && place !== 'cookie')) return { kind: 'unknown' };
      return { kind: 'apiKey', in: place, name };
    }
    case 'http':
      return { kind: 'http', scheme: (textOf(scheme.scheme) ?? '').toLowerCase() };
    case 'oauth2': {
      const written = isObject(scheme.flows) ? scheme.flows : {};
      const flows = unwrapped(written['flow']) ?? written;
      const tokenUrl = textOf(objectOf<'tokenUrl'>(flows['clientCredentials'])?.tokenUrl);
      return { kind: 'oauth2', flows: Object.keys(flows), tokenUrl };
    }
    case 'openIdConnect':
      return { kind: 'openIdConnect', url: textOf(scheme.openIdConnectUrl) ?? '' };
    case 'mutualTLS':
      return { kind: 'mutualTLS' };
    default:
      return { kind: 'unknown' };
  }
}

/** `security` of 0.3 (scopes by name), `securityRequirements` of 1.0 (the same below `schemes`, each a `list`). */
function readRequirements(holder: JsonObject): readonly SecurityRequirement[] {
  const written = arrayOf(holder['securityRequirements'] ?? holder['security']);
  return written.filter(isObject).map((requirement) => {
    const schemes = isObject(requirement['schemes']) ? requirement['schemes'] : requirement;
    return new Map(Object.entries(schemes).map(([name, scopes]) => [name, readScopes(scopes)]));
  });
}

function readScopes(value: unknown): readonly string[] {
  return textsOf(Array.isArray(value) ? value : objectOf<'list'>(value)?.list);
}
