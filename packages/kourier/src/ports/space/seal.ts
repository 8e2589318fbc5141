/** Signs and checks what only this gateway may have written: permits and forwarded identities. */
export interface Seal {
  /** The claims as a compact JWS (EdDSA) with its type; `typ` keeps one kind of token from being taken for another. */
  sign(typ: string, claims: Readonly<Record<string, unknown>>): string;
  /** The claims of a token that one of the gateway's keys signed as `typ`; `undefined` for anything else. Times are not judged. */
  open(typ: string, token: string): Readonly<Record<string, unknown>> | undefined;
  /** A card with the gateway's signature (A2A 1.0, 8.4); `undefined` for one that has faults, which nobody vouches for. */
  signCard(card: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined;
  /** The public keys as a JWK Set (RFC 7517), the one that signs first. */
  readonly jwks: { readonly keys: readonly Readonly<Record<string, unknown>>[] };
}
