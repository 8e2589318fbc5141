/** Bounds on a card that others wrote. Past one there is a note, a fault or a refusal that says so. */
export const CARD_LIMITS = {
  /** Faults, and notes, of one card; those past it are counted. */
  cardFindings: 500,
  /** One text of a card, before a note says that it is long (case C023). */
  cardTextCharacters: 4_096,
  /** Characters of a text, a name or a path of the card that a finding repeats. */
  quotedCharacters: 80,
  /** Nesting of a card; a deeper one has no canonical form and is neither signed nor verified (case C022). */
  cardDepth: 64,
  /** Signatures of one card that are tried. */
  cardSignatures: 20,
  /** An RSA key under it is refused (RFC 7518 §3.3). */
  rsaKeyBits: 2_048,
} as const;

/** Bounds on tokens that one side signs for another. */
export const JWS_LIMITS = {
  /** A whole token, as it stands in a header; servers of HTTP take about twice as much in all headers together. */
  tokenCharacters: 8_192,
} as const;

/** What the word of a gateway about a call (rule A5) may be. */
export const FORWARDED_IDENTITY_LIMITS = {
  /** From its making to its end. */
  identityLifeMs: 60_000,
  /** Account and tenant, as they are named everywhere. */
  accountCharacters: 64,
  /** Any other name in it, of a caller, an agent or a runtime, and its own id. */
  nameCharacters: 300,
} as const;
