/** What a scheme wants to be satisfied, beside the name of the scheme in the card. */
export interface TokenAsk {
  /** The scheme's name in the card. */
  readonly scheme: string;
  readonly scopes: readonly string[];
  /** The token that the agent has just refused with 401, if it has. */
  readonly refused: string | undefined;
  /** Of the call that waits for the token. */
  readonly signal: AbortSignal | undefined;
}

/** Called for every request, so that it keeps what it may use again. */
export type TokenProvider = (ask: TokenAsk) => string | Promise<string>;

/** For a scheme of kind `apiKey`. */
export interface ApiKeyCredential {
  readonly apiKey: string;
}

/** For `http` Basic. */
export interface BasicCredential {
  readonly username: string;
  readonly password: string;
}

/** For `http` Bearer, for `openIdConnect`, and for every flow of `oauth2`. */
export interface TokenCredential {
  readonly token: string | TokenProvider;
}

/**
 * For the client credentials flow of `oauth2`, and for `openIdConnect`. The token is fetched here, kept until shortly
 * before it expires, and fetched anew once when the agent refuses it.
 */
export interface ClientCredential {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Instead of those that the requirement names. */
  readonly scopes?: readonly string[];
  /** Instead of the card's, which is only used at an origin that may have the secret. */
  readonly tokenUrl?: string;
}

/** For `mutualTLS`: the `fetch` that was given presents the certificate. */
export interface CertificateCredential {
  readonly certificate: 'presented-by-fetch';
}

export type Credential =
  | ApiKeyCredential
  | BasicCredential
  | TokenCredential
  | ClientCredential
  | CertificateCredential;

/** By the names of the card's security schemes. */
export type Credentials = Readonly<Record<string, Credential>>;
