import type { IncomingMessage } from 'node:http';
import { isWithinDepth } from '@agentkourier/a2a/json-value';
import { AGENT_LIMITS } from './limits.ts';

export type JsonBody = { readonly value: unknown } | 'too-large' | 'not-json' | 'too-deep';

/** Reads a request's body as JSON in strict UTF-8. Rejects only when the connection breaks. */
export async function readJsonBody(request: IncomingMessage): Promise<JsonBody> {
  const bytes = await readBytes(request);
  if (bytes === undefined) return 'too-large';
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return isWithinDepth(value, AGENT_LIMITS.jsonDepth) ? { value } : 'too-deep';
  } catch {
    return 'not-json';
  }
}

/** `undefined` past the limit; the rest is then left unread, and the connection open for an answer. */
function readBytes(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > AGENT_LIMITS.bodyBytes) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= AGENT_LIMITS.bodyBytes) {
        chunks.push(chunk);
        return;
      }
      request.removeAllListeners('data');
      request.pause();
      resolve(undefined);
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => reject(new Error('the connection broke')));
  });
}
