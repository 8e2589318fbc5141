import type { Principal } from '../../core/access/principal.ts';

/**
 * Who the value of an `Authorization` header proves the caller to be; `undefined` for nobody, whatever was wrong with
 * it. Rejects with `IssuerUnavailable` when it cannot be told now.
 */
export type Authenticate = (authorization: string | undefined) => Promise<Principal | undefined>;

/** The keys of an issuer cannot be had now, so nobody can be told from its tokens. Says nothing that the issuer wrote. */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable';
  /** As it is configured. */
  readonly issuer: string;

  constructor(issuer: string, why: string) {
    super(`token issuer ${issuer}: ${why}`);
    this.issuer = issuer;
  }
}
