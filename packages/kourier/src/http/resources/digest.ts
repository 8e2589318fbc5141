import { createHash } from 'node:crypto';

/** Only the length is bounded by hashing: what comes from outside is used as a key, never as a secret. */
export function digest(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url');
}
