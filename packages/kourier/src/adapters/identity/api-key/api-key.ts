import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** How every key begins: what it is told from other tokens by, and what scanners for secrets look for. */
export const API_KEY_PREFIX = 'kourier_';

/** Random bytes of a key. */
export const API_KEY_BYTES = 32;

const KEY = /^kourier_[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?_[A-Za-z0-9_-]{49}$/;
const CHECKSUM_CHARACTERS = 6;

/**
 * A new API key, `kourier_NAME_` and 49 characters: base64url of the random bytes, and a CRC-32 of all before it, by
 * which scanners and people tell a key from what looks like one, and from one that lost a character. `name` is a resource
 * name, and only for people: it proves nothing.
 */
export function apiKeyText(name: string, random: Uint8Array): string {
  if (random.length !== API_KEY_BYTES) throw new Error(`a key is made of ${API_KEY_BYTES} random bytes`);
  const text = `${API_KEY_PREFIX}${name}_${Buffer.from(random).toString('base64url')}`;
  return `${text}${checksum(text)}`;
}

/**
 * What is kept of a key, in small hex digits. A plain hash, where passwords want a slow one: that makes guessing dear, and
 * 256 random bits are out of reach of guessing at any price. A slow hash would only let strangers spend our processor.
 */
export function apiKeySha256(key: string): string {
  return createHash('sha256').update(key, 'utf8').digest('hex');
}

/** Whether a text is a key as it was made, by its form and its checksum alone. */
export function isWholeApiKey(text: string): boolean {
  return KEY.test(text) && checksum(text.slice(0, -CHECKSUM_CHARACTERS)) === text.slice(-CHECKSUM_CHARACTERS);
}

function checksum(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return bytes.toString('base64url');
}
