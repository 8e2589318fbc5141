import { createHmac, KeyObject, sign } from 'node:crypto';

/**
 * What notifications are signed with, as in Standard Webhooks: a `whsec_` secret (base64 of 24 to 64 bytes) that the
 * receivers have too (`v1`, HMAC-SHA256), or a private Ed25519 key (`v1a`) whose public half any receiver may have.
 */
export type SigningKey = string | KeyObject;

/** Signs `id.timestamp.body`; gives one entry of the header `webhook-signature`. */
export type Sign = (content: string) => string;

/** Throws a TypeError for a key of another kind; nothing of the key is in it. */
export function signerOf(key: SigningKey): Sign {
  if (key instanceof KeyObject) {
    if (key.type !== 'private' || key.asymmetricKeyType !== 'ed25519') {
      throw new TypeError('a signing key must be a private Ed25519 key, or a whsec_ secret');
    }
    return (content) => `v1a,${sign(null, Buffer.from(content), key).toString('base64')}`;
  }
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(key) ?? [];
  const secret = Buffer.from(base64, 'base64');
  if (secret.length < 24 || secret.length > 64) {
    throw new TypeError('a signing secret must be whsec_ and the base64 of 24 to 64 random bytes');
  }
  return (content) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`;
}
