import { createHash } from 'node:crypto';
import { canonicalJson } from '@agentkourier/a2a/canonical-json';
import type { JsonObject } from '@agentkourier/a2a/json-value';
import { boundMessage } from '../core/access/permit.ts';

/**
 * What a permit binds of a message: the SHA-256, in hex, of the canonical JSON (RFC 8785) of `boundMessage`. `undefined` for
 * what has no canonical form.
 */
export function messageSha256(message: JsonObject): string | undefined {
  const text = canonicalJson(boundMessage(message));
  return text === undefined ? undefined : createHash('sha256').update(text).digest('hex');
}
