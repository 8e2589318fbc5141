const KIB = 1_024;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** What bounds credentials and permits. docs/space-access.md lists it. */
export const ACCESS_LIMITS = {
  /** The whole value of an `Authorization` header; a longer one is no credential, and is not looked at. */
  authorizationCharacters: 8 * KIB,
  /** Objects and arrays inside one another, and in all, in the header or the claims of a token. */
  tokenDepth: 16,
  tokenContainers: 1_000,
  /** A subject (OpenID Connect Core §2), and a tenant that a claim names. */
  subjectCharacters: 255,
  /** How far the clock of an issuer, or of another process of the gateway, may be from ours. */
  clockSkewMs: 30 * SECOND,
  /** The longest that a permit is good for. */
  permitMs: 5 * MINUTE,
  /** A discovery document or a key set of an issuer, how many keys it may have, and when it must have come whole. */
  issuerAnswerBytes: 256 * KIB,
  issuerKeys: 100,
  issuerAnswerMs: 5 * SECOND,
  /** Keys are read again after this. */
  issuerKeysFreshMs: 10 * MINUTE,
  /** Not sooner than this, whether an unknown key is named or the issuer failed: strangers name keys, too. */
  issuerKeysRetryMs: 10 * SECOND,
  /** Keys of an issuer that does not answer are used until they are so old. Longer than tokens commonly last, an hour. */
  issuerKeysStaleMs: 120 * MINUTE,
} as const;
