import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { canonicalJson } from '../canonical-json.ts';
import { arrayOf, isObject, type JsonObject, textOf } from '../json-value.ts';
import { algorithmsOf, type CardAlgorithm, isTooShort } from './algorithms.ts';

/** A key that cards are signed or verified with. */
export interface CardKey {
  /** Its `kid`, else its thumbprint (RFC 7638). */
  readonly id: string;
  /** Those that it fits, never none; the first is signed with. */
  readonly algorithms: readonly CardAlgorithm[];
  readonly key: KeyObject;
}

export type KeyReading<Key> =
  | { readonly kind: 'read'; readonly value: Key }
  /** `why` is a half sentence for whoever gave the key. */
  | { readonly kind: 'unusable'; readonly why: string };

/** A private key from a JWK (RFC 7517). */
export function signingKey(jwk: unknown): KeyReading<CardKey> {
  if (!isObject(jwk)) return unusable('a JWK is a JSON object');
  if (jwk['kty'] === 'oct') return unusable('a symmetric key: whoever verifies with it could sign with it');
  if (jwk['d'] === undefined) return unusable('it has no private part');
  return readKey(jwk, 'sign', createPrivateKey);
}

/**
 * The public keys of a JWK Set, or of one JWK. Those that are for something else are left out, as RFC 7517 §5 says; none
 * left is unusable.
 */
export function verificationKeys(jwks: unknown): KeyReading<readonly CardKey[]> {
  if (!isObject(jwks)) return unusable('a JWK Set is a JSON object');
  const list = Array.isArray(jwks['keys']) ? jwks['keys'] : 'kty' in jwks ? [jwks] : undefined;
  if (list === undefined) return unusable('a JWK Set has an array keys');
  const read = list.map((jwk) =>
    isObject(jwk) ? readKey(jwk, 'verify', createPublicKey) : unusable('no JSON object'),
  );
  const value = read.flatMap((key) => (key.kind === 'read' ? [key.value] : []));
  if (value.length > 0) return { kind: 'read', value };
  const why = read.flatMap((key, index) => (key.kind === 'unusable' ? [`key ${index}: ${key.why}`] : []));
  return unusable(why.length === 0 ? 'it has no keys' : why.slice(0, 5).join('; '));
}

type Create = (input: { readonly key: JsonObject; readonly format: 'jwk' }) => KeyObject;

function readKey(jwk: JsonObject, operation: 'sign' | 'verify', create: Create): KeyReading<CardKey> {
  const { use, key_ops: operations } = jwk as { readonly use?: unknown; readonly key_ops?: unknown };
  if (use !== undefined && use !== 'sig') return unusable('its use is not sig');
  if (operations !== undefined && !arrayOf(operations).includes(operation))
    return unusable(`it is not for ${operation}`);
  const algorithms = algorithmsOf(jwk);
  if (algorithms.length === 0) return unusable('its kty, crv and alg are none that cards are signed with');
  let key: KeyObject;
  try {
    key = create({ key: jwk, format: 'jwk' });
  } catch {
    return unusable('it is no valid key');
  }
  if (isTooShort(key)) return unusable('an RSA key needs 2048 bits');
  return { kind: 'read', value: { id: textOf(jwk['kid']) || thumbprint(jwk), algorithms, key } };
}

function unusable(why: string): { readonly kind: 'unusable'; readonly why: string } {
  return { kind: 'unusable', why };
}

/** RFC 7638: the required members of the key's kind, canonical, hashed. */
function thumbprint(jwk: JsonObject): string {
  const names = { EC: ['crv', 'kty', 'x', 'y'], OKP: ['crv', 'kty', 'x'], RSA: ['e', 'kty', 'n'] };
  const members = Object.entries(names).find(([kty]) => kty === jwk['kty'])?.[1] ?? [];
  const text = canonicalJson(Object.fromEntries(members.map((name) => [name, jwk[name]]))) ?? '';
  return createHash('sha256').update(text).digest('base64url');
}
