import { randomUUID } from 'node:crypto';
import type { AgentCard } from '@agentkourier/a2a/card';
import { readSecurity, type Security } from '@agentkourier/a2a/read-security';
import { ENCODER_0_3 } from '@agentkourier/a2a/v0.3/encode';
import { ENCODER_1_0 } from '@agentkourier/a2a/v1.0/encode';
import { CLIENT_WAITS } from '../limits.ts';
import { AgentWire } from './agent-wire.ts';
import { Authorizer } from './authorizer.ts';
import { type ChosenInterface, chooseInterface } from './choose-interface.ts';
import { REAL_CLOCK } from './client-clock.ts';
import { CardError, CredentialsError } from './client-error.ts';
import type { ClientOptions } from './client-options.ts';
import type { Http } from './exchange.ts';
import { findCard, takeCard } from './find-card.ts';
import { GrpcWire } from './grpc/grpc-wire.ts';
import { grpcUrl, loadGrpc } from './grpc/load-grpc.ts';
import { checkedHeaders } from './header.ts';
import type { Wire, WireOptions } from './wire.ts';

/** An agent that can be called. */
export interface Connected {
  readonly card: AgentCard;
  readonly chosen: ChosenInterface;
  readonly url: URL;
  readonly wire: Wire;
  readonly http: Http;
  readonly newId: () => string;
}

/** Finds or takes the card, and decides how it is spoken to, where, and with what credentials. */
export async function connect(agent: string | URL | object, options: ClientOptions): Promise<Connected> {
  const { fetch = globalThis.fetch, clock = REAL_CLOCK, newId = randomUUID } = options;
  const { headersMs = CLIENT_WAITS.headersMs, idleMs = CLIENT_WAITS.idleMs } = options;
  const http: Http = { fetch, clock, headersMs, idleMs };
  const headers = checkedHeaders(options.headers ?? {});
  const version = options.prefer?.version ?? '1.0';
  const found =
    typeof agent === 'string' || agent instanceof URL
      ? await findCard(asUrl(agent, 'The address of the agent'), {
          http,
          headers: { ...headers, 'a2a-version': version },
          signal: options.signal,
        })
      : { card: takeCard(agent), url: undefined };
  const chosen = chooseInterface(found.card, options.prefer);
  const url = endpointOf(chosen, options, found.url);
  const origins = trustedOrigins(url, found.url, options);
  const authorizer = guarded(readSecurity(found.card.source), { url, cardUrl: found.url, origins, http, options });
  const common: WireOptions = {
    url,
    tenant: options.tenant ?? chosen.tenant,
    headers,
    trusted: origins.has(url.origin),
    extensions: options.extensions ?? [],
    authorize: (call, refused) => authorizer.authorize(call, refused),
  };
  const { binding } = chosen;
  const encoder = chosen.version === '1.0' ? ENCODER_1_0 : ENCODER_0_3;
  const wire =
    binding === 'GRPC'
      ? await grpcWire(common, http, options.fetch)
      : new AgentWire({ ...common, binding, encoder, http, newId });
  return { card: found.card, chosen, url, wire, http, newId };
}

/** A guarded fetch would be believed to guard what goes past it. */
async function grpcWire(common: WireOptions, { clock, headersMs, idleMs }: Http, fetch: ClientOptions['fetch']) {
  if (fetch === undefined)
    return new GrpcWire({ ...common, clock, headersMs, idleMs, peer: await loadGrpc(common.url) });
  throw new CardError(
    'Calls over GRPC do not go through the fetch that was given: prefer another binding, or give none.',
  );
}

function endpointOf(chosen: ChosenInterface, { endpoint }: ClientOptions, cardUrl: URL | undefined): URL {
  if (endpoint !== undefined) return asUrl(endpoint, 'The endpoint');
  if (chosen.binding === 'GRPC') return asUrl(grpcUrl(chosen.url), 'The url of the card');
  if (URL.canParse(chosen.url, cardUrl?.href)) return asUrl(new URL(chosen.url, cardUrl), 'The url of the card');
  throw new CardError(`The card names no URL that can be called: ${JSON.stringify(chosen.url.slice(0, 200))}.`);
}

/** Who wrote the card may not have credentials sent elsewhere; a card that the caller brings is the caller's own word. */
function trustedOrigins(url: URL, cardUrl: URL | undefined, options: ClientOptions): ReadonlySet<string> {
  const allowed = (options.credentialOrigins ?? []).map((origin) => asUrl(origin, 'A credential origin').origin);
  const own = options.endpoint === undefined ? (cardUrl ?? url) : url;
  return new Set([own.origin, ...(cardUrl === undefined ? [] : [cardUrl.origin]), ...allowed]);
}

interface Guarding {
  readonly url: URL;
  readonly cardUrl: URL | undefined;
  readonly origins: ReadonlySet<string>;
  readonly http: Http;
  readonly options: ClientOptions;
}

function guarded(declared: Security, { url, cardUrl, origins, http, options }: Guarding): Authorizer {
  const { credentials = {}, headers = {} } = options;
  const secrets = Object.keys(credentials).length + Object.keys(headers).length > 0;
  if (secrets && !origins.has(url.origin)) {
    throw new CredentialsError(
      `The card of ${cardUrl?.origin} has calls go to ${url.origin}: allow that origin with credentialOrigins.`,
    );
  }
  const byHeaders = options.credentials === undefined && Object.keys(headers).length > 0;
  const security: Security = byHeaders ? { ...declared, requirements: [], skills: new Map() } : declared;
  const authorizer = new Authorizer({ security, credentials, origins, http });
  authorizer.check();
  return authorizer;
}

function asUrl(value: string | URL, what: string): URL {
  if (!URL.canParse(String(value))) throw new CardError(`${what} is no absolute URL.`);
  const url = new URL(value);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new CardError(`${what} is neither http nor https.`);
  // fetch refuses them, and its error would quote them.
  if (url.username !== '' || url.password !== '') {
    throw new CredentialsError(`${what} holds a user's name or password: give them as credentials or headers.`);
  }
  return url;
}
