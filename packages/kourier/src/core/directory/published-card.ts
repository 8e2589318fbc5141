import { isJson } from './json.ts';
import type { Endpoint, Json, Revision } from './registered-agent.ts';

/** How the gateway answers for its agents. */
export interface Publishing {
  /** PUBLIC_URL/spaces/SPACE/agents/AGENT, of the configuration: never of a request (case C020). */
  readonly base: string;
  /** Whether the gateway keeps webhooks for its callers, whatever the agent does. */
  readonly pushNotifications: boolean;
  /** Whether nobody is asked who calls, as in local mode: then the card wants no credentials. */
  readonly isOpen?: boolean;
  /** Issuers whose tokens the gateway takes beside its own keys. The name is that of the scheme. */
  readonly openIdConnect: readonly { readonly name: string; readonly openIdConnectUrl: string }[];
}

/** The scheme of the gateway's own keys. */
const GATEWAY_SCHEME = 'gateway';

/**
 * The card that the gateway serves for a revision: what the agent says of itself, unknown members included, with the
 * gateway in its place wherever a caller reads where to call and what to present (cases C008, C013, C014). For each endpoint
 * of the revision there is an interface at the gateway, in the same order. Signatures are left out: they were of another
 * card. `undefined` when the revision has no endpoint (case C005).
 */
export function publishedCard(
  { card, endpoints }: Pick<Revision, 'card' | 'endpoints'>,
  publishing: Publishing,
): Json | undefined {
  const base = publishing.base.replace(/\/+$/, '');
  const places = placesOf(endpoints, base);
  if (places.length === 0) return undefined;
  const isModern = Array.isArray(card['supportedInterfaces']);
  const isBoth = typeof card['url'] === 'string' || Array.isArray(card['additionalInterfaces']);
  // A card of both versions whose agent is called by 1.0 only is one of 1.0 from then on.
  const isOld = !isModern || (isBoth && places.some(({ protocolVersion }) => protocolVersion === '0.3'));
  const published: Record<string, unknown> = { ...without(card, [...ROUTING, ...SECURITY, 'signatures']) };
  if (isModern) published['supportedInterfaces'] = places;
  if (isOld) Object.assign(published, oldPlaces(places, card['protocolVersion']));
  if ('supportsAuthenticatedExtendedCard' in card) published['supportsAuthenticatedExtendedCard'] = false;
  published['capabilities'] = capabilitiesOf(card['capabilities'], publishing);
  // What a skill wanted are schemes of the agent; the gateway wants the same of every call.
  if (Array.isArray(card['skills']))
    published['skills'] = card['skills'].map((skill: unknown) => (isJson(skill) ? without(skill, SECURITY) : skill));
  return publishing.isOpen === true ? published : { ...published, ...securityOf({ isModern, isOld }, publishing) };
}

const ROUTING = ['supportedInterfaces', 'url', 'preferredTransport', 'additionalInterfaces'];
const SECURITY = ['securitySchemes', 'security', 'securityRequirements'];

interface PlaceAt {
  readonly url: string;
  readonly protocolBinding: Endpoint['binding'];
  readonly protocolVersion: Endpoint['version'];
}

/** Below the base HTTP+JSON stands where the SDK's servers have it; the paths of 0.3 begin with `/v1` themselves. */
const PATHS = {
  JSONRPC: { '1.0': '', '0.3': '' },
  'HTTP+JSON': { '1.0': '/a2a/v1', '0.3': '/a2a' },
} as const;

function placesOf(endpoints: readonly Endpoint[], base: string): readonly PlaceAt[] {
  const places = new Map<string, PlaceAt>();
  for (const { binding, version } of endpoints)
    places.set(`${binding} ${version}`, {
      url: base + PATHS[binding][version],
      protocolBinding: binding,
      protocolVersion: version,
    });
  return [...places.values()];
}

/** As A2A 0.3 writes them. */
function oldPlaces(places: readonly PlaceAt[], protocolVersion: unknown): Json {
  const old = places.filter((place) => place.protocolVersion === '0.3');
  // An agent that calls itself 1.0 in a card as 0.3 writes it is called where it says, by 1.0.
  const written = old.length > 0 ? old : places;
  const [first] = written;
  if (first === undefined) return {};
  const isNamed = typeof protocolVersion === 'string' && /^0\.3(\D|$)/.test(protocolVersion);
  return {
    ...(old.length === 0 || isNamed ? {} : { protocolVersion: '0.3.0' }),
    url: first.url,
    preferredTransport: first.protocolBinding,
    additionalInterfaces: written.map(({ url, protocolBinding }) => ({ url, transport: protocolBinding })),
  };
}

function capabilitiesOf(capabilities: unknown, { pushNotifications }: Publishing): Json {
  const given = isJson(capabilities) ? capabilities : {};
  // The fuller card is the agent's, and names its own places.
  return { ...given, pushNotifications, ...('extendedAgentCard' in given ? { extendedAgentCard: false } : {}) };
}

/** A key of the gateway, or a token of one of the issuers. A card of both versions says each scheme in the words of both. */
function securityOf(
  { isModern, isOld }: { readonly isModern: boolean; readonly isOld: boolean },
  { openIdConnect }: Publishing,
): Json {
  const description = 'A key of this gateway, as a bearer token.';
  const schemes: Record<string, Json> = {
    [GATEWAY_SCHEME]: {
      ...(isOld ? { type: 'http', scheme: 'bearer', description } : {}),
      ...(isModern ? { httpAuthSecurityScheme: { scheme: 'Bearer', description } } : {}),
    },
  };
  for (const { name, openIdConnectUrl } of openIdConnect) {
    schemes[name] = {
      ...(isOld ? { type: 'openIdConnect', openIdConnectUrl } : {}),
      ...(isModern ? { openIdConnectSecurityScheme: { openIdConnectUrl } } : {}),
    };
  }
  const names = Object.keys(schemes);
  return {
    securitySchemes: schemes,
    ...(isOld ? { security: names.map((name) => ({ [name]: [] })) } : {}),
    ...(isModern ? { securityRequirements: names.map((name) => ({ schemes: { [name]: { list: [] } } })) } : {}),
  };
}

function without(value: Json, names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}
