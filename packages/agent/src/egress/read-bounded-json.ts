import { jsonExcess } from '@agentkourier/a2a/json-bounds';
import { parseJson } from '@agentkourier/a2a/json-value';
import { EGRESS_LIMITS } from '../limits.ts';
import { EgressRefused } from './egress-refused.ts';

const BOUNDS = {
  maxDepth: EGRESS_LIMITS.jsonDepth,
  maxStringLength: EGRESS_LIMITS.jsonStringCharacters,
  maxContainers: EGRESS_LIMITS.jsonContainers,
};

/**
 * The body of a response as JSON, in strict UTF-8. Its size, its depth, the length of its strings and the number of its
 * objects and arrays are judged before it is parsed (rule A4). Rejects with `A2A_EGRESS_RESPONSE_TOO_LARGE`, with
 * `A2A_EGRESS_JSON_REFUSED` (its detail says what was wrong), and as the body errors.
 */
export async function readBoundedJson(
  response: Response,
  maxBytes: number = EGRESS_LIMITS.responseBytes,
): Promise<unknown> {
  const text = await readText(response, maxBytes);
  const excess = jsonExcess(text, BOUNDS);
  if (excess !== undefined) throw new EgressRefused('A2A_EGRESS_JSON_REFUSED', excess);
  const value = parseJson(text);
  if (value === undefined) throw new EgressRefused('A2A_EGRESS_JSON_REFUSED', 'not-json');
  return value;
}

async function readText({ body }: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop early cancels the body.
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new EgressRefused('A2A_EGRESS_RESPONSE_TOO_LARGE', `over ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new EgressRefused('A2A_EGRESS_JSON_REFUSED', 'not-utf-8');
  }
}
