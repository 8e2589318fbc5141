import { createHash } from 'node:crypto';
import { canonicalJson } from '@agentkourier/a2a/canonical-json';
import type { JsonObject } from '@agentkourier/a2a/json-value';

/**
 * What a permit binds of a message: the SHA-256, in hex, of its canonical JSON (RFC 8785) without `taskId` and
 * `contextId`, which are only known when the message is sent. `undefined` for what has no canonical form.
 */
export function messageSha256({ taskId: _task, contextId: _context, ...message }: JsonObject): string | undefined {
  const text = canonicalJson(message);
  return text === undefined ? undefined : createHash('sha256').update(text).digest('hex');
}
