import type { Authenticate } from '../../ports/space/authenticate.ts';
import type { Access } from '../../ports/space/space-configuration.ts';
import { API_KEY_PREFIX } from './api-key/api-key.ts';
import { authenticateApiKey } from './api-key/authenticate-api-key.ts';
import { authenticateToken } from './oidc/authenticate-token.ts';
import type { IssuerOutside } from './oidc/issuer-keys.ts';
import { bearerToken } from './wire/bearer-token.ts';

/**
 * The port, by API keys and by tokens of issuers; `access` is what is in force at each call. A token that begins as API
 * keys do is judged as nothing else, and asks no issuer. Rejects with `IssuerUnavailable`.
 */
export function authenticate({ access, ...outside }: IssuerOutside & { readonly access: () => Access }): Authenticate {
  const byKey = authenticateApiKey({ keys: () => access().apiKeys, clock: outside.clock });
  const byToken = authenticateToken({ issuers: () => access().issuers, ...outside });
  return async (authorization) =>
    (bearerToken(authorization)?.startsWith(API_KEY_PREFIX) ? byKey : byToken)(authorization);
}
