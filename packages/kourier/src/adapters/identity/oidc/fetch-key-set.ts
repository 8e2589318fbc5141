import { isObject } from '@agentkourier/a2a/json-value';
import { readBoundedJson } from '@agentkourier/agent';
import type { JSONWebKeySet, JWK } from 'jose';
import { ACCESS_LIMITS } from '../../../core/access/limits.ts';
import { IssuerUnavailable } from '../../../ports/space/authenticate.ts';
import type { TokenIssuer } from '../../../ports/space/space-configuration.ts';

/** `fetch` as it is wanted here: plain, or guarded (`guardedFetch`). Redirects are refused in either. */
export type FetchJson = (
  url: string,
  init: {
    readonly signal: AbortSignal;
    readonly redirect: 'manual';
    readonly headers: Readonly<Record<string, string>>;
  },
) => Promise<Response>;

/**
 * The key set of an issuer now, from its `jwksUrl`, else from where its discovery document says (OpenID Connect Discovery
 * §4), whose `issuer` must be the configured one to the letter (§4.3). Rejects with `IssuerUnavailable`, and with the
 * reason of `signal`.
 */
export async function fetchKeySet(issuer: TokenIssuer, fetch: FetchJson, signal: AbortSignal): Promise<JSONWebKeySet> {
  const get = (url: string): Promise<unknown> => getJson({ issuer, url, fetch, signal });
  const jwksUrl = issuer.jwksUrl ?? keySetUrl(issuer, await get(discoveryUrl(issuer)));
  const set = await get(jwksUrl);
  const keys = isObject(set) ? set['keys'] : undefined;
  if (!Array.isArray(keys) || !keys.every((key): key is JWK => isObject(key) && typeof key['kty'] === 'string'))
    throw new IssuerUnavailable(issuer.name, 'what it gave is no key set');
  if (keys.length > ACCESS_LIMITS.issuerKeys)
    throw new IssuerUnavailable(issuer.name, `its key set has more than ${ACCESS_LIMITS.issuerKeys} keys`);
  return { keys };
}

function discoveryUrl({ issuer }: TokenIssuer): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

function keySetUrl({ name, issuer }: TokenIssuer, document: unknown): string {
  const found = isObject(document) ? document : {};
  if (found['issuer'] !== issuer)
    throw new IssuerUnavailable(name, 'its discovery document names another issuer: correct the issuer');
  const url = found['jwks_uri'];
  const isUrl = typeof url === 'string' && URL.canParse(url);
  const schemes = issuer.startsWith('http:') ? ['https:', 'http:'] : ['https:'];
  if (isUrl && schemes.includes(new URL(url).protocol)) return url;
  throw new IssuerUnavailable(name, 'its discovery document names no https address of its keys: set jwksUrl');
}

async function getJson({
  issuer: { name },
  url,
  fetch,
  signal,
}: {
  readonly issuer: TokenIssuer;
  readonly url: string;
  readonly fetch: FetchJson;
  readonly signal: AbortSignal;
}): Promise<unknown> {
  const headers = { accept: 'application/json, application/jwk-set+json' };
  try {
    const response = await fetch(url, { signal, redirect: 'manual', headers });
    if (response.status === 200) return await readBoundedJson(response, ACCESS_LIMITS.issuerAnswerBytes);
    await response.body?.cancel();
    throw new IssuerUnavailable(name, `it answered with status ${response.status}`);
  } catch (error) {
    if (error instanceof IssuerUnavailable || signal.aborted) throw error;
    throw new IssuerUnavailable(name, `its keys could not be read (${codeOf(error)})`);
  }
}

/** Of Node, of the guarded transport, or of what `fetch` hides behind `fetch failed`. */
function codeOf(error: unknown): string {
  const causes = [error, error instanceof Error ? error.cause : undefined];
  const codes = causes.map((cause) => (isObject(cause) ? cause['code'] : undefined));
  return (
    (codes.find((code) => typeof code === 'string' && /^[A-Z0-9_]{1,64}$/.test(code)) as string | undefined) ??
    'no code'
  );
}
