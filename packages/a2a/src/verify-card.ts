import { quoted } from './card/findings.ts';
import { wireOfCard } from './card.ts';
import { arrayOf, isObject, type JsonObject, parseJson } from './json-value.ts';
import { CARD_LIMITS } from './limits.ts';
import { type CardAlgorithm, isCardAlgorithm, verifyWith } from './signature/algorithms.ts';
import { base64url, fromBase64url } from './signature/base64url.ts';
import { type CanonicalForm, type SignedText, signedTexts } from './signature/card-forms.ts';
import { type CardKey, verificationKeys } from './signature/keys.ts';

export interface CardVerification {
  /** One signature at least is by one of the keys, and over this card. */
  readonly verified: boolean;
  readonly signatures: readonly SignatureVerdict[];
  /** Why there is nothing to verify, or nothing to verify it with. */
  readonly why?: string;
}

export interface SignatureVerdict {
  /** As the signature says it; empty when it does not. It was chosen by whoever made the signature. */
  readonly keyId: string;
  readonly algorithm: string;
  readonly verdict:
    | 'verified'
    /** All forms of the card are one, and this is not what the key signed. */
    | 'tampered'
    /** It could not be shown that the key signed this card; for one thing, since its form may be one that nobody defines. */
    | 'not-verified';
  /** As a half sentence that begins with the key. */
  readonly why: string;
  /** The form that matched (case C017), and what it leaves out of this card. */
  readonly form?: CanonicalForm;
  readonly uncovered?: readonly string[];
}

/**
 * Verifies the signatures of a card, as parsed JSON, by the keys of a JWK Set that the caller trusts for the agent (rule C5;
 * A2A 1.0 §8.4.3). The card chooses nothing (case C019): the algorithm is one of `CARD_ALGORITHMS` and fits the key, the
 * key is one of `jwks`; `jku`, `jwk` and `x5u` of a header are not looked at. Never throws.
 */
export function verifyCard(card: unknown, jwks: unknown): CardVerification {
  const keys = verificationKeys(jwks);
  if (keys.kind === 'unusable') return nothing(`the keys cannot be used: ${keys.why}`);
  const listed = isObject(card) ? arrayOf(card['signatures']) : [];
  if (!isObject(card) || listed.length === 0) return nothing('the card has no signatures');
  const texts = signedTexts(card, wireOfCard(card).version);
  if (texts.length === 0) return nothing('the card has no canonical form: half a surrogate pair, or too deep');
  const signatures = listed.slice(0, CARD_LIMITS.cardSignatures).map((entry) => judge(entry, texts, keys.value));
  return { verified: signatures.some(({ verdict }) => verdict === 'verified'), signatures };
}

const nothing = (why: string): CardVerification => ({ verified: false, signatures: [], why });

interface Readable {
  readonly keyId: string;
  readonly algorithm: CardAlgorithm;
  readonly header: string;
  readonly signature: Uint8Array;
}

function judge(entry: unknown, texts: readonly SignedText[], keys: readonly CardKey[]): SignatureVerdict {
  const read = readSignature(entry);
  if ('verdict' in read) return read;
  const { keyId, algorithm, header, signature } = read;
  const told = { keyId, algorithm };
  const name = `key ${quoted(keyId)}`;
  const named = keys.filter(({ id }) => id === keyId);
  if (named.length === 0)
    return { ...told, verdict: 'not-verified', why: `${name} is none of the keys that were given` };
  const fitting = named.filter(({ algorithms }) => algorithms.includes(algorithm));
  if (fitting.length === 0) return { ...told, verdict: 'not-verified', why: `${name} is not for ${algorithm}` };
  const matched = texts.find(({ text }) =>
    fitting.some(({ key }) => verifyWith(algorithm, key, `${header}.${base64url(text)}`, signature)),
  );
  if (matched !== undefined) {
    const { form, uncovered } = matched;
    return { ...told, verdict: 'verified', why: `${name} signed this card, in the form ${form}`, form, uncovered };
  }
  return { ...told, ...mismatch(name, texts) };
}

/**
 * Nothing but ASCII in one form: nobody writes it in two ways, so that it can only be another text. (Early releases of the
 * official Python SDK escaped what is beyond ASCII before they signed it.)
 */
function mismatch(name: string, texts: readonly SignedText[]): Pick<SignatureVerdict, 'verdict' | 'why'> {
  const [first = { text: '' }] = texts;
  const isCertain = texts.every(({ text }) => text === first.text) && !/[^ -~]/.test(first.text);
  if (isCertain)
    return { verdict: 'tampered', why: `${name} did not sign this: the card or the signature was changed` };
  return {
    verdict: 'not-verified',
    why: `${name} did not sign this in any form that A2A defines: it was tampered with, or signed in another form`,
  };
}

function readSignature(entry: unknown): Readable | SignatureVerdict {
  const malformed = (why: string, words: JsonObject = {}): SignatureVerdict => {
    const { kid, alg } = words as { readonly kid?: unknown; readonly alg?: unknown };
    const told = { keyId: typeof kid === 'string' ? kid : '', algorithm: typeof alg === 'string' ? alg : '' };
    return { ...told, verdict: 'not-verified', why: told.keyId === '' ? why : `key ${quoted(told.keyId)}: ${why}` };
  };
  if (!isObject(entry)) return malformed('the signature is no object');
  const { protected: header, signature, header: open } = entry as Readonly<Record<string, unknown>>;
  const bytes = typeof header === 'string' ? fromBase64url(header) : undefined;
  const words = bytes === undefined ? undefined : parseJson(new TextDecoder().decode(bytes));
  if (!isObject(words) || typeof header !== 'string') return malformed('protected is no base64url of a JSON object');
  const { alg, kid, crit } = words as { readonly alg?: unknown; readonly kid?: unknown; readonly crit?: unknown };
  if (!isCardAlgorithm(alg)) return malformed(`the algorithm ${quoted(String(alg))} is not taken`, words);
  if (typeof kid !== 'string' || kid === '') return malformed('it names no key (kid)', words);
  // What is critical there has to be understood (RFC 7515 §4.1.11), and there is no extension that we do.
  if (crit !== undefined) return malformed('it has critical extensions, and none is known', words);
  if (isObject(open) && Object.keys(open).some((name) => Object.hasOwn(words, name)))
    return malformed('a member stands in both its headers', words);
  const made = typeof signature === 'string' ? fromBase64url(signature) : undefined;
  if (made === undefined || made.length === 0) return malformed('signature is no base64url', words);
  return { keyId: kid, algorithm: alg, header, signature: made };
}
