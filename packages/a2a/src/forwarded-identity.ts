import { createHash } from 'node:crypto';
import type { JsonObject } from './json-value.ts';
import { FORWARDED_IDENTITY_LIMITS } from './limits.ts';

/**
 * What a gateway tells an agent of a call that it carries (rule A5): a compact JWS (`compact-jws.ts`) of this type, in
 * this header. Gateway and agent have its claims from this file alone.
 */
export const FORWARDED_IDENTITY_HEADER = 'a2a-forwarded-identity';
export const FORWARDED_IDENTITY_TYPE = 'a2a-identity+jwt';

/** Who calls. `probe` is the gateway itself, which looks whether the agent is there: it may read the card alone. */
export const CALLER_KINDS = ['user', 'runtime', 'service', 'probe'] as const;
export type CallerKind = (typeof CALLER_KINDS)[number];

/** The agent that a call is meant for. */
export interface ForwardedTarget {
  readonly account: string;
  /** Empty where there are no tenants. */
  readonly tenant: string;
  readonly agent: string;
  readonly runtime: string;
  /** `SPACE/AGENT`, as the gateway has the agent registered. */
  readonly registration: string;
}

/** The claims of a forwarded identity, under their names in the token. */
export interface ForwardedIdentity extends ForwardedTarget {
  /** The gateway's public URL. */
  readonly iss: string;
  /** Seconds since the epoch; `exp` is at most `FORWARDED_IDENTITY_LIMITS.identityLifeMs` later. */
  readonly iat: number;
  readonly exp: number;
  /** Its own id: it counts once. */
  readonly jti: string;
  /** The caller, unique within account, tenant and kind. */
  readonly sub: string;
  readonly kind: CallerKind;
  /** The runtime that calls: of the kind `runtime` always, of others never. */
  readonly callerRuntime?: string;
  /** The method of the one request that it counts for, in capitals. */
  readonly htm: string;
  /** Path and query of that request, as they stand in the request line that the agent gets. */
  readonly htu: string;
  /** `bodySha256` of its body. */
  readonly bodySha256: string;
}

/** Lower-case hex, of the exact bytes; a request without a body has none of them. */
export function bodySha256(body: Uint8Array | string = ''): string {
  return createHash('sha256').update(body).digest('hex');
}

/** The claims to be signed: the audience is the registration. Throws a TypeError where `readIdentity` would refuse them. */
export function identityClaims(identity: ForwardedIdentity): JsonObject {
  const claims = { ...identity, aud: identity.registration };
  if (readIdentity(claims) === undefined)
    throw new TypeError('a forwarded identity has a claim that is missing, too long or at odds with its kind');
  return claims;
}

const { accountCharacters, nameCharacters, identityLifeMs } = FORWARDED_IDENTITY_LIMITS;

/** Those that are bounded by the token alone have no bound of their own. */
const TEXTS = {
  account: accountCharacters,
  tenant: accountCharacters,
  agent: nameCharacters,
  runtime: nameCharacters,
  registration: nameCharacters,
  iss: Number.POSITIVE_INFINITY,
  jti: nameCharacters,
  sub: nameCharacters,
  htm: nameCharacters,
  htu: Number.POSITIVE_INFINITY,
  bodySha256: nameCharacters,
} as const;

/**
 * What verified claims say; `undefined` when one is missing, of another type or too long, when they count for too long or
 * for another audience than their registration, or when caller and kind are at odds. Whether they fit a call, and the
 * time, is not judged here.
 */
export function readIdentity(claims: JsonObject): ForwardedIdentity | undefined {
  const { iat, exp, kind, callerRuntime } = claims;
  for (const [name, max] of Object.entries(TEXTS)) if (!isName(claims[name], max, name === 'tenant')) return undefined;
  if (!Number.isSafeInteger(iat) || !Number.isSafeInteger(exp)) return undefined;
  const lifeMs = (Number(exp) - Number(iat)) * 1_000;
  if (lifeMs <= 0 || lifeMs > identityLifeMs || claims['aud'] !== claims['registration']) return undefined;
  if (!CALLER_KINDS.some((known) => known === kind)) return undefined;
  const isAtOdds = kind === 'runtime' ? !isName(callerRuntime, nameCharacters, false) : callerRuntime !== undefined;
  return isAtOdds ? undefined : (claims as unknown as ForwardedIdentity);
}

function isName(value: unknown, maxCharacters: number, mayBeEmpty: boolean): boolean {
  if (typeof value !== 'string' || value.length > maxCharacters) return false;
  return mayBeEmpty || value !== '';
}
