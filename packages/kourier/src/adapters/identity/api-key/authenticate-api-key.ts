import type { Principal } from '../../../core/access/principal.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Authenticate } from '../../../ports/space/authenticate.ts';
import type { ApiKey } from '../../../ports/space/space-configuration.ts';
import { bearerToken } from '../wire/bearer-token.ts';
import { apiKeySha256, isWholeApiKey } from './api-key.ts';

/**
 * Knows callers by API keys. `keys` are those in force at each call. Several of one name, tenant and kind are one
 * principal, so that a key is replaced by a second one, and the first taken away when nobody uses it.
 *
 * What is looked up is the hash of what was given, among hashes: nobody can steer that towards one that is kept, so the
 * time that it takes tells nothing, however many keys there are. One that has expired or was mistyped takes as long as
 * one that nobody has.
 */
export function authenticateApiKey({
  keys,
  clock,
}: {
  readonly keys: () => readonly ApiKey[];
  readonly clock: Pick<Clock, 'now'>;
}): Authenticate {
  let known: { readonly keys: readonly ApiKey[]; readonly bySha256: ReadonlyMap<string, ApiKey> } | undefined;
  return async (authorization) => {
    const token = bearerToken(authorization);
    if (token === undefined) return undefined;
    const current = keys();
    if (known?.keys !== current) known = { keys: current, bySha256: new Map(current.map((key) => [key.sha256, key])) };
    const found = known.bySha256.get(apiKeySha256(token));
    const isWhole = isWholeApiKey(token);
    const isGood = isWhole && (found?.expiresAt ?? Number.POSITIVE_INFINITY) > clock.now();
    return isGood && found !== undefined ? principalOf(found) : undefined;
  };
}

/** No name of a key has the colon that the ids of token issuers have, so the two never meet. */
function principalOf({ tenant, kind, name, grants }: ApiKey): Principal {
  return { tenant, kind, id: name, grants };
}
