import type { IncomingMessage } from 'node:http';
import { jsonExcess } from '@agentkourier/a2a/json-bounds';
import { SPACE_LIMITS } from '../../space/limits.ts';
import { readBytes } from '../read-body.ts';
import { SpaceRefusal } from './space-problem.ts';
import { bodyFaults, type SpaceBodies } from './space-schemas.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The JSON body of a call, which fits its schema. Rejects with a `SpaceRefusal`. */
export async function readJson(incoming: IncomingMessage, schema: keyof SpaceBodies): Promise<unknown> {
  const type = (incoming.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    // What takes nothing may also be sent nothing.
    if (schema === 'Nothing' && Number(incoming.headers['content-length'] ?? 0) === 0) return {};
    throw new SpaceRefusal(
      'unsupported-media-type',
      'Send the body as JSON, with the header "content-type: application/json".',
    );
  }
  const bytes = await readBytes(incoming, SPACE_LIMITS.requestBytes);
  if (bytes === 'too-large') {
    throw new SpaceRefusal(
      'body-too-large',
      `A body holds at most ${SPACE_LIMITS.requestBytes} bytes.`,
      {},
      { connection: 'close' },
    );
  }
  if (bytes === 'gone') throw new SpaceRefusal('malformed-request', 'Send the whole body.');
  const body = parsed(bytes);
  const faults = bodyFaults(schema, body);
  if (faults.length === 0) return body;
  const detail = `The body does not fit the schema ${schema} of /api/v1/openapi.json. Correct what "faults" names.`;
  throw new SpaceRefusal('invalid-request', detail, { faults });
}

function parsed(bytes: Uint8Array): unknown {
  const { jsonDepth: maxDepth, jsonContainers: maxContainers, requestBytes: maxStringLength } = SPACE_LIMITS;
  let text: string;
  try {
    text = UTF8.decode(bytes);
    if (jsonExcess(text, { maxDepth, maxContainers, maxStringLength }) === undefined) return JSON.parse(text);
  } catch {
    throw new SpaceRefusal('malformed-request', 'The body is not JSON in UTF-8. Send one JSON value.');
  }
  throw new SpaceRefusal('malformed-request', `Objects and arrays stand at most ${maxDepth} deep, and are few.`);
}
