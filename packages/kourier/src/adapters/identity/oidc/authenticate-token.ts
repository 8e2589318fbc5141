import { type JWTPayload, jwtVerify } from 'jose';
import { ACCESS_LIMITS } from '../../../core/access/limits.ts';
import type { Principal } from '../../../core/access/principal.ts';
import { type Authenticate, IssuerUnavailable } from '../../../ports/space/authenticate.ts';
import type { TokenIssuer } from '../../../ports/space/space-configuration.ts';
import { bearerToken } from '../wire/bearer-token.ts';
import { IssuerKeys, type IssuerOutside } from './issuer-keys.ts';
import { readToken } from './read-token.ts';
import { tokenPrincipal } from './token-principal.ts';

/** Asymmetric only: whoever could check a token with a shared key could make one. */
export const TOKEN_ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** A JWT without a type, one that says so, and an access token of RFC 9068. Any other is meant for something else. */
const TOKEN_TYPES: readonly unknown[] = [undefined, 'jwt', 'application/jwt', 'at+jwt', 'application/at+jwt'];

/**
 * Knows callers by the signed tokens (JWT) of OpenID Connect issuers: of people, of services, and of Kubernetes service
 * accounts. `issuers` are those in force at each call; what a token says of its issuer only chooses among them. Where
 * several are configured for one issuer, the first whose rules take the token counts.
 *
 * Nothing that a token names is called or read but its key's id among the keys that the issuer has; `jku`, `jwk`, `x5u`
 * and `x5c` are not looked at. A token is good until it expires: issuers are not asked whether they took it back.
 */
export function authenticateToken({
  issuers,
  ...outside
}: IssuerOutside & { readonly issuers: () => readonly TokenIssuer[] }): Authenticate {
  const keys = keyShelf(outside);
  return async (authorization) => {
    const token = bearerToken(authorization);
    const unverified = token === undefined ? undefined : readToken(token);
    if (token === undefined || unverified === undefined) return undefined;
    const { typ } = unverified.header;
    if (!TOKEN_TYPES.includes(typeof typ === 'string' ? typ.toLowerCase() : typ)) return undefined;
    const current = issuers();
    for (const issuer of current.filter((known) => known.issuer === unverified.claims['iss'])) {
      const principal = await principalBy(token, issuer, keys(issuer, current), outside.clock.now());
      if (principal !== undefined) return principal;
    }
    return undefined;
  };
}

async function principalBy(
  token: string,
  issuer: TokenIssuer,
  { find }: IssuerKeys,
  now: number,
): Promise<Principal | undefined> {
  let payload: JWTPayload;
  try {
    ({ payload } = await jwtVerify(token, find, {
      ...{ issuer: issuer.issuer, audience: issuer.audience, algorithms: TOKEN_ALGORITHMS },
      ...{ requiredClaims: ['exp', 'sub'], currentDate: new Date(now) },
      clockTolerance: ACCESS_LIMITS.clockSkewMs / 1_000,
    }));
  } catch (error) {
    if (error instanceof IssuerUnavailable) throw error;
    return undefined; // whatever was wrong with it, the key that the issuer published included
  }
  return tokenPrincipal(payload, issuer);
}

/** The keys of each issuer, kept as long as it is configured with the same place of its keys. */
function keyShelf(outside: IssuerOutside): (issuer: TokenIssuer, current: readonly TokenIssuer[]) => IssuerKeys {
  const place = ({ name, issuer, jwksUrl }: TokenIssuer): string => JSON.stringify([name, issuer, jwksUrl]);
  const shelf = new Map<string, IssuerKeys>();
  let seen: readonly TokenIssuer[] | undefined;
  return (issuer, current) => {
    if (seen !== current) {
      const places = new Set(current.map(place));
      for (const known of shelf.keys()) if (!places.has(known)) shelf.delete(known);
      seen = current;
    }
    const keys = shelf.get(place(issuer)) ?? new IssuerKeys(issuer, outside);
    shelf.set(place(issuer), keys);
    return keys;
  };
}
