import { arrayOf, isObject, type JsonObject } from './json-value.ts';
import type { CardFinding } from './judge-card.ts';
import { type CardAlgorithm, signWith } from './signature/algorithms.ts';
import { base64url } from './signature/base64url.ts';
import { signedTexts } from './signature/card-forms.ts';
import { signingKey } from './signature/keys.ts';
import { validateCard } from './validate-card.ts';

export type CardSigning =
  | {
      readonly kind: 'signed';
      /** The card with one signature more. */
      readonly card: JsonObject;
      readonly keyId: string;
      readonly algorithm: CardAlgorithm;
      /** Paths of empty values that other verifiers may leave out before they verify, and then fail (case C017). */
      readonly disputed: readonly string[];
    }
  | { readonly kind: 'bad-key'; readonly why: string }
  /** A card with faults is not signed: what it says is then vouched for. That includes a URL that is not absolute (case C020). */
  | { readonly kind: 'bad-card'; readonly faults: readonly CardFinding[]; readonly why: string };

/**
 * Signs a card, as parsed JSON, with a private JWK (rule C5; A2A 1.0 §8.4): a JWS (RFC 7515) with detached payload over the
 * form `presence`, unknown members included. The algorithm is the JWK's `alg`, else the usual one of its kind; the key id
 * its `kid`, else its thumbprint. Never throws.
 */
export function signCard(card: unknown, jwk: unknown): CardSigning {
  const reading = signingKey(jwk);
  if (reading.kind === 'unusable') return { kind: 'bad-key', why: reading.why };
  const { version, faults } = validateCard(card);
  if (!isObject(card) || faults.length > 0)
    return { kind: 'bad-card', faults, why: 'a card with faults is not signed' };
  const texts = signedTexts(card, version);
  const [presence] = texts;
  if (presence === undefined)
    return { kind: 'bad-card', faults, why: 'it has no canonical form: half a surrogate pair, or too deep' };
  const { id: keyId, algorithms, key } = reading.value;
  const algorithm = algorithms[0] ?? 'ES256';
  const header = base64url(JSON.stringify({ alg: algorithm, typ: 'JOSE', kid: keyId }));
  const signature = base64url(signWith(algorithm, key, `${header}.${base64url(presence.text)}`));
  const signatures = [...arrayOf(card['signatures']), { protected: header, signature }];
  const disputed = texts.find(({ form }) => form === 'no-empties')?.uncovered ?? [];
  return { kind: 'signed', card: { ...card, signatures }, keyId, algorithm, disputed };
}
