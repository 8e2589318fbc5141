import { isObject, type JsonObject, parseJson } from './json-value.ts';
import { JWS_LIMITS } from './limits.ts';
import { isCardAlgorithm, signWith, verifyWith } from './signature/algorithms.ts';
import { base64url, fromBase64url } from './signature/base64url.ts';
import type { CardKey } from './signature/keys.ts';

/**
 * A JSON payload as a compact JWS (RFC 7515 §7.1), signed with the first algorithm of a private key. `typ` says what kind
 * of token it is, so that none is taken for another (RFC 8725 §3.11). Throws a RangeError when the token would be over
 * `JWS_LIMITS.tokenCharacters`: nobody would take it.
 */
export function signCompact(
  typ: string,
  payload: JsonObject,
  { id, algorithms: [alg = 'EdDSA'], key }: CardKey,
): string {
  const signed = `${base64url(JSON.stringify({ alg, typ, kid: id }))}.${base64url(JSON.stringify(payload))}`;
  const token = `${signed}.${base64url(signWith(alg, key, signed))}`;
  if (token.length > JWS_LIMITS.tokenCharacters)
    throw new RangeError(
      `a token of ${token.length} characters: ${JWS_LIMITS.tokenCharacters} are taken; say less in it`,
    );
  return token;
}

/**
 * The payload of a compact JWS that one of `keys` signed as `typ`, else `undefined`. The token chooses nothing: its `kid`
 * selects among the keys that are given, its `alg` must be one that the key is for, and what else its header names (`jwk`,
 * `jku`, `x5c`) is not looked at. Critical extensions are refused, for none is known. No claim is judged. Never throws.
 */
export function verifyCompact(token: string, typ: string, keys: readonly CardKey[]): JsonObject | undefined {
  const parts = partsOf(token);
  if (parts === undefined) return undefined;
  const { header, signed, signature } = parts;
  const { alg, kid, typ: said } = header;
  if (said !== typ || header['crit'] !== undefined || !isCardAlgorithm(alg)) return undefined;
  const isBy = ({ id, algorithms, key }: CardKey): boolean =>
    id === kid && algorithms.includes(alg) && verifyWith(alg, key, signed, signature);
  return keys.some(isBy) ? parts.payload() : undefined;
}

/** The key id that a token names; `undefined` when it names none. Whoever made the token chose it. */
export function keyIdIn(token: string): string | undefined {
  const kid = partsOf(token)?.header['kid'];
  return typeof kid === 'string' ? kid : undefined;
}

interface Parts {
  readonly header: JsonObject;
  readonly signed: string;
  readonly signature: Uint8Array;
  /** Not read before the signature is verified. */
  payload(): JsonObject | undefined;
}

function partsOf(token: string): Parts | undefined {
  if (token.length > JWS_LIMITS.tokenCharacters) return undefined;
  const [head = '', body = '', tail = '', more] = token.split('.', 4);
  const [header, signature] = [objectIn(head), fromBase64url(tail)];
  if (more !== undefined || header === undefined || signature === undefined || signature.length === 0) return undefined;
  return { header, signed: `${head}.${body}`, signature, payload: () => objectIn(body) };
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function objectIn(text: string): JsonObject | undefined {
  const bytes = fromBase64url(text);
  if (bytes === undefined) return undefined;
  try {
    const value = parseJson(UTF8.decode(bytes));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
