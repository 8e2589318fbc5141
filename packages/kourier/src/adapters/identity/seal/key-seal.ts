import { createPublicKey } from 'node:crypto';
import { signCompact, verifyCompact } from '@agentkourier/a2a/compact-jws';
import { isObject } from '@agentkourier/a2a/json-value';
import { signCard } from '@agentkourier/a2a/sign-card';
import { type CardKey, signingKey } from '@agentkourier/a2a/signature/keys';
import type { Seal } from '../../../ports/space/seal.ts';

/**
 * A seal of Ed25519 keys as private JWKs (RFC 8037): the first signs, all verify. To change the key, put the new one
 * first; take the old one away when what it signed has expired. Throws a TypeError that says which key is none; nothing
 * of a key is in it.
 */
export function keySeal(jwks: readonly unknown[]): Seal {
  const keys = jwks.map(readKey);
  const [signing] = keys;
  if (signing === undefined) throw new TypeError('a seal needs a key: a private Ed25519 JWK');
  const open = keys.map(({ id, algorithms, key }) => ({ id, algorithms, key: createPublicKey(key) }));
  return {
    sign: (typ, claims) => signCompact(typ, claims, signing),
    open: (typ, token) => verifyCompact(token, typ, open),
    signCard: (card) => {
      const signed = signCard(card, jwks[0]);
      return signed.kind === 'signed' ? signed.card : undefined;
    },
    jwks: { keys: open.map(publicJwk) },
  };
}

function readKey(jwk: unknown, index: number): CardKey {
  const { kty, crv, d, x, kid } = isObject(jwk) ? (jwk as Readonly<Record<string, unknown>>) : {};
  if (kty !== 'OKP' || crv !== 'Ed25519')
    throw new TypeError(`key ${index} of the seal is no Ed25519 key: make a JWK with kty OKP and crv Ed25519`);
  // Without what it says of its use: it signs with EdDSA, whatever it was made for.
  const reading = signingKey({ kty, crv, d, x, ...(kid === undefined ? {} : { kid }) });
  if (reading.kind === 'unusable') throw new TypeError(`key ${index} of the seal cannot sign: ${reading.why}`);
  return reading.value;
}

function publicJwk({ id, key }: CardKey): Readonly<Record<string, unknown>> {
  return { ...key.export({ format: 'jwk' }), kid: id, use: 'sig', alg: 'EdDSA' };
}
