import { constants, type KeyObject, sign, verify } from 'node:crypto';
import { CARD_LIMITS } from '../limits.ts';

interface Suite {
  /** What the JWK of a fitting key says; `bits` of an RSA key are checked by themselves. */
  readonly kty: 'EC' | 'OKP' | 'RSA';
  readonly crv?: string;
  /** Absent: the algorithm has its own. */
  readonly hash?: string;
  readonly options: {
    readonly dsaEncoding?: 'ieee-p1363';
    readonly padding?: number;
    readonly saltLength?: number;
  };
}

/** JWS wants the two numbers of an ECDSA signature side by side (RFC 7518 §3.4), not as DER. */
const SIDE_BY_SIDE = { dsaEncoding: 'ieee-p1363' } as const;

/**
 * The algorithms that are signed and verified with; there are no others, whatever a card asks for (case C019). All are
 * asymmetric: who can verify a card must not be able to sign one, so there is no HMAC, and `none` is no signature.
 * ES256 and RS256 are those that A2A §8.4.2 names; ES384 and EdDSA are what else keys are made for today; PS256 is RSA
 * with the padding that RFC 8017 wants of new uses.
 */
const SUITES = {
  ES256: { kty: 'EC', crv: 'P-256', hash: 'sha256', options: SIDE_BY_SIDE },
  ES384: { kty: 'EC', crv: 'P-384', hash: 'sha384', options: SIDE_BY_SIDE },
  EdDSA: { kty: 'OKP', crv: 'Ed25519', options: {} },
  // The same by the name that RFC 9864 gave it.
  Ed25519: { kty: 'OKP', crv: 'Ed25519', options: {} },
  RS256: { kty: 'RSA', hash: 'sha256', options: { padding: constants.RSA_PKCS1_PADDING } },
  PS256: {
    kty: 'RSA',
    hash: 'sha256',
    options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
  },
} as const satisfies Readonly<Record<string, Suite>>;

export type CardAlgorithm = keyof typeof SUITES;
export const CARD_ALGORITHMS = Object.keys(SUITES) as readonly CardAlgorithm[];

export function isCardAlgorithm(name: unknown): name is CardAlgorithm {
  return typeof name === 'string' && Object.hasOwn(SUITES, name);
}

/** The members of a JWK (RFC 7517) that say what a key is for. */
export interface KeyWords {
  readonly kty?: unknown;
  readonly crv?: unknown;
  readonly alg?: unknown;
}

/** The algorithms that a key is for: what its `alg` says, else what its kind allows, the first by default. */
export function algorithmsOf({ kty, crv, alg }: KeyWords): readonly CardAlgorithm[] {
  return CARD_ALGORITHMS.filter((name) => {
    const suite: Suite = SUITES[name];
    return suite.kty === kty && suite.crv === (kty === 'RSA' ? undefined : crv) && (alg === undefined || alg === name);
  });
}

/** An RSA key that is too short to sign anything with today. */
export function isTooShort({ asymmetricKeyDetails }: KeyObject): boolean {
  const bits = asymmetricKeyDetails?.modulusLength;
  return bits !== undefined && bits < CARD_LIMITS.rsaKeyBits;
}

export function signWith(algorithm: CardAlgorithm, key: KeyObject, text: string): Uint8Array {
  const { hash, options }: Suite = SUITES[algorithm];
  return sign(hash, new TextEncoder().encode(text), { key, ...options });
}

export function verifyWith(algorithm: CardAlgorithm, key: KeyObject, text: string, signature: Uint8Array): boolean {
  const { hash, options }: Suite = SUITES[algorithm];
  return verify(hash, new TextEncoder().encode(text), { key, ...options }, signature);
}
