import type { Principal } from '../../core/access/principal.ts';

/**
 * Who the value of an `Authorization` header proves the caller to be; `undefined` for nobody, whatever was wrong with
 * it. Rejects when it cannot be told now: the keys of an issuer cannot be had.
 */
export type Authenticate = (authorization: string | undefined) => Promise<Principal | undefined>;
