import { ACCESS_LIMITS } from '../../../core/access/limits.ts';

/** RFC 6750 §2.1: one scheme, one token, nothing after it. Two values joined by a comma are no token. */
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/** The token of an `Authorization` header; `undefined` for no header, another scheme, several values, or too long a one. */
export function bearerToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined || authorization.length > ACCESS_LIMITS.authorizationCharacters) return undefined;
  return BEARER.exec(authorization)?.[1];
}
