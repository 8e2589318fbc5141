import { createHash } from 'node:crypto';
import { canonicalJson } from '@agentkourier/a2a/canonical-json';
import { type AgentCard, type CardInterface, readCard, wireOfInterface } from '@agentkourier/a2a/card';
import { verifyCard } from '@agentkourier/a2a/verify-card';
import { withoutEndSlashes } from '@agentkourier/a2a/without-end-slashes';
import type { Endpoint, Json, Reach } from '../core/directory/registered-agent.ts';
import type { SpacePolicy } from '../ports/space/space-configuration.ts';
import { SPACE_LIMITS } from './limits.ts';

/** Why a card is not taken. Stable. */
export type CardRefusal =
  | 'card-invalid'
  | 'card-too-large'
  | 'card-without-endpoint'
  | 'endpoint-not-https'
  | 'signature-required'
  | 'card-tampered';

export interface CardFault {
  /** JSON path into the card. */
  readonly path: string;
  readonly problem: string;
}

/** What the gateway needs of a card. */
export interface ReadRevision {
  readonly name: string;
  readonly cardSha256: string;
  readonly card: Json;
  readonly endpoints: readonly Endpoint[];
  readonly signedBy: readonly string[];
  /** What is wrong with it by the letter of its version; it is taken all the same. */
  readonly findings: readonly CardFault[];
}

export type CardReading =
  | { readonly kind: 'read'; readonly revision: ReadRevision }
  | {
      readonly kind: 'refused';
      readonly code: CardRefusal;
      readonly faults: readonly CardFault[];
      /** What was read, where nothing but its signatures is wrong. */
      readonly unsigned?: ReadRevision;
    };

export interface Reached {
  readonly reach: Reach;
  /** Where calls go in place of where the card says: an origin, with a path before the card's if need be. */
  readonly url?: string | undefined;
  /** Where the card was read; absent when it was given. */
  readonly cardUrl?: string | undefined;
}

/** A card of either version, through one reader (cases C001, C005, C008, C014). */
export function readRevision(value: unknown, reached: Reached, policy: SpacePolicy): CardReading {
  const reading = readCard(value);
  if (reading.kind === 'not-a-card') {
    return { kind: 'refused', code: 'card-invalid', faults: faultsOf(reading.findings) };
  }
  const { card } = reading;
  const text = canonicalJson(card.source);
  if (text === undefined) return refused('card-invalid', '$', 'the card has no canonical form (RFC 8785)');
  if (text.length > SPACE_LIMITS.cardCharacters)
    return refused('card-too-large', '$', `over ${SPACE_LIMITS.cardCharacters} characters`);
  const endpoints = endpointsOf(card, reached);
  if (endpoints.length === 0) {
    const code = 'card-without-endpoint';
    return { kind: 'refused', code, faults: [{ path: '$', problem: NO_ENDPOINT }, ...faultsOf(card.findings)] };
  }
  const isGuarded = reached.reach === 'public' || reached.reach === 'vpc';
  const plain = isGuarded
    ? endpoints.find(({ url }) => !url.startsWith('https:') && !isTrusted(url, policy))
    : undefined;
  if (plain !== undefined) return refused('endpoint-not-https', '$', `${plain.url.slice(0, 200)} is not https`);
  const findings = [
    ...endpoints.filter(({ url }) => url === reached.cardUrl).map(() => ({ path: '$', problem: ON_CARD })),
    ...faultsOf(card.findings),
  ];
  const cardSha256 = createHash('sha256').update(text).digest('hex');
  const read = { name: card.name, cardSha256, card: card.source, endpoints, findings };
  const signatures = signaturesOf(card, endpoints, reached, policy);
  if ('signedBy' in signatures) return { kind: 'read', revision: { ...read, ...signatures } };
  const faults = [{ path: '$.signatures', problem: signatures.why }];
  return { kind: 'refused', code: signatures.code, faults, unsigned: { ...read, signedBy: [] } };
}

const NO_ENDPOINT = 'no interface is JSONRPC or HTTP+JSON of A2A 1.0 or 0.3 with an http or https URL';
const ON_CARD = 'an interface has the URL of the card itself: calls go there';

function refused(code: CardRefusal, path: string, problem: string): CardReading {
  return { kind: 'refused', code, faults: [{ path, problem }] };
}

function faultsOf(findings: AgentCard['findings']): readonly CardFault[] {
  return findings.slice(0, SPACE_LIMITS.cardFaults).map(({ path, message }) => ({ path, problem: message }));
}

/** One for each binding and version, the first that the card names: a caller is never asked to choose. */
function endpointsOf(card: AgentCard, reached: Reached): readonly Endpoint[] {
  const endpoints = new Map<string, Endpoint>();
  for (const item of card.interfaces) {
    const endpoint = endpointOf(card, item, reached);
    const key = `${endpoint?.binding} ${endpoint?.version}`;
    if (endpoint !== undefined && !endpoints.has(key)) endpoints.set(key, endpoint);
  }
  return [...endpoints.values()];
}

function endpointOf(card: AgentCard, item: CardInterface, reached: Reached): Endpoint | undefined {
  const version = wireOfInterface(card, item);
  const { binding, tenant } = item;
  if (version === undefined || (binding !== 'JSONRPC' && binding !== 'HTTP+JSON')) return undefined;
  const url = addressOf(item.url, reached);
  return url === undefined ? undefined : { url, binding, version, ...(tenant === undefined ? {} : { tenant }) };
}

/**
 * Where calls to an interface go. An agent inside is called where configuration or an operator found it, whatever its card
 * says: a card must not lead the gateway to another address of the network that the gateway stands in.
 */
function addressOf(named: string, { reach, url, cardUrl }: Reached): string | undefined {
  const base = url ?? (reach === 'inside' ? cardUrl : undefined);
  // An empty one would be the address of the card itself (cases C005, C016).
  if (named === '' || !URL.canParse(named, base)) return undefined;
  const address = new URL(named, base);
  if (!/^https?:$/.test(address.protocol) || address.username + address.password + address.hash !== '')
    return undefined;
  if (base === undefined) return address.href;
  const place = new URL(base);
  const prefix = url === undefined ? '' : withoutEndSlashes(place.pathname);
  const path = address.pathname.startsWith(`${prefix}/`) ? address.pathname : prefix + address.pathname;
  return `${place.origin}${path}${address.search}`;
}

function isTrusted(url: string, { egress }: SpacePolicy): boolean {
  const { hostname, port, protocol } = new URL(url);
  return egress.trustedHosts.includes(`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`);
}

/** Whose signatures hold, of the keys that are configured for where the agent is; the card chooses none (case C019). */
function signaturesOf(
  { source }: AgentCard,
  endpoints: readonly Endpoint[],
  { cardUrl }: Reached,
  { signatures }: SpacePolicy,
): { readonly signedBy: readonly string[] } | { readonly code: CardRefusal; readonly why: string } {
  const { origin } = new URL(cardUrl ?? endpoints[0]?.url ?? 'http://unknown.invalid');
  const keys = signatures.keys.filter(({ origins }) => origins.length === 0 || origins.includes(origin));
  const verified = verifyCard(source, { keys: keys.map(({ jwk }) => jwk) });
  const tampered = verified.signatures.find(({ verdict }) => verdict === 'tampered');
  if (tampered !== undefined) return { code: 'card-tampered', why: tampered.why };
  const signedBy = verified.signatures.filter(({ verdict }) => verdict === 'verified').map(({ keyId }) => keyId);
  if (signatures.required && signedBy.length === 0) {
    const why = verified.why ?? verified.signatures[0]?.why ?? 'no signature of a configured key holds';
    return { code: 'signature-required', why };
  }
  return { signedBy: [...new Set(signedBy)] };
}
