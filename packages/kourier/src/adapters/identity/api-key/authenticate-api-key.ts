import { timingSafeEqual } from 'node:crypto';
import type { Principal } from '../../../core/access/principal.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Authenticate } from '../../../ports/space/authenticate.ts';
import type { ApiKey } from '../../../ports/space/space-configuration.ts';
import { bearerToken } from '../wire/bearer-token.ts';
import { apiKeySha256, isWholeApiKey } from './api-key.ts';

interface Candidate {
  readonly key: ApiKey;
  readonly sha256: Buffer;
}

/**
 * Knows callers by API keys. `keys` are those in force at each call. Several of one name, tenant and kind are one
 * principal, so that a key is replaced by a second one, and the first taken away when nobody uses it.
 *
 * Every key is compared, in constant time, whether one before it matched or not; one that has expired or was mistyped
 * takes as long as one that nobody has.
 */
export function authenticateApiKey({
  keys,
  clock,
}: {
  readonly keys: () => readonly ApiKey[];
  readonly clock: Pick<Clock, 'now'>;
}): Authenticate {
  let known: { readonly keys: readonly ApiKey[]; readonly candidates: readonly Candidate[] } | undefined;
  return async (authorization) => {
    const token = bearerToken(authorization);
    if (token === undefined) return undefined;
    const current = keys();
    if (known?.keys !== current) known = { keys: current, candidates: current.map(candidate) };
    const found = matching(known.candidates, token);
    const now = clock.now();
    const isGood = isWholeApiKey(token) && (found?.expiresAt ?? Number.POSITIVE_INFINITY) > now;
    return isGood && found !== undefined ? principalOf(found) : undefined;
  };
}

function candidate(key: ApiKey): Candidate {
  const sha256 = Buffer.from(key.sha256, 'hex');
  if (sha256.length !== 32) throw new Error(`the sha256 of the API key ${key.name} is not 64 hex digits`);
  return { key, sha256 };
}

function matching(candidates: readonly Candidate[], token: string): ApiKey | undefined {
  const given = apiKeySha256(token);
  let found: ApiKey | undefined;
  for (const { key, sha256 } of candidates) if (timingSafeEqual(sha256, given)) found = key;
  return found;
}

/** No name of a key has the colon that the ids of token issuers have, so the two never meet. */
function principalOf({ tenant, kind, name, grants }: ApiKey): Principal {
  return { tenant, kind, id: name, grants };
}
