import { isWithinDepth } from '@agentkourier/a2a/json-value';
import { AGENT_LIMITS } from '../limits.ts';
import type { Asked } from './sink.ts';

/** `text` is what `value` was read from. */
export type JsonBody = { readonly value: unknown; readonly text: string } | 'too-large' | 'not-json' | 'too-deep';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Reads a request's body as JSON in strict UTF-8. Rejects only when the connection breaks. */
export async function readJsonBody(asked: Asked): Promise<JsonBody> {
  const bytes = await asked.body(AGENT_LIMITS.bodyBytes);
  if (bytes === undefined) return 'too-large';
  try {
    const text = UTF8.decode(bytes);
    const value: unknown = JSON.parse(text);
    return isWithinDepth(value, AGENT_LIMITS.jsonDepth) ? { value, text } : 'too-deep';
  } catch {
    return 'not-json';
  }
}

/** Whether a body says that it is JSON. */
export function isJson(contentType: string | undefined): boolean {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return type === 'application/json' || type.endsWith('+json');
}
