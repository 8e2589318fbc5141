import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';

interface Pair {
  readonly secret: JsonWebKey;
  readonly open: JsonWebKey;
}

const pair = (kid: string, keys: ReturnType<typeof generateKeyPairSync>, alg?: string): Pair => {
  const words = { kid, ...(alg === undefined ? {} : { alg }) };
  const [secret, open] = [keys.privateKey, keys.publicKey].map((key) => ({
    ...key.export({ format: 'jwk' }),
    ...words,
  }));
  return { secret: secret ?? {}, open: open ?? {} };
};

const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve });
const rsa = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength });
const RSA = rsa(2_048);

/** Key pairs as JWKs, by the algorithm that each is for. */
export const PAIRS = {
  ES256: pair('es256', ec('P-256')),
  ES384: pair('es384', ec('P-384')),
  EdDSA: pair('eddsa', generateKeyPairSync('ed25519')),
  Ed25519: pair('ed25519', generateKeyPairSync('ed25519'), 'Ed25519'),
  RS256: pair('rs256', RSA),
  PS256: pair('ps256', RSA, 'PS256'),
} as const;

export const SHORT_RSA = pair('short', rsa(1_024));
export const OTHER_CURVE = pair('es512', ec('P-521'));
