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
