import { isObject, type JsonObject } from '@agentkourier/a2a/json-value';
import { invalidParams } from '../../rpc-error.ts';

/** Set on a data part whose value is no object: 0.3 has only objects, so it stands in `value` (as both SDKs have it). */
export const WRAPPED_VALUE_KEY = 'data_part_compat';

/**
 * A message of a user in A2A 1.0, made from one of 0.3. The `kind` of the message itself may be left out, as many
 * clients do; that of a part tells what it is. Throws an RpcError -32602. Ids and metadata are checked by whoever reads the 1.0 message.
 */
export function readMessage(value: unknown): JsonObject {
  if (!isObject(value)) throw invalidParams('message must be an object.');
  const { kind = 'message', role, parts, ...rest } = value;
  if (kind !== 'message') throw invalidParams('message.kind must be "message".');
  if (role !== 'user') throw invalidParams('message.role must be "user".');
  if (!Array.isArray(parts)) throw invalidParams('message.parts must be a non-empty array.');
  return { ...rest, role: 'ROLE_USER', parts: parts.map(readPart) };
}

function readPart(part: unknown): JsonObject {
  if (!isObject(part)) throw invalidParams('each of message.parts must be an object.');
  const { kind, metadata } = part as { kind?: unknown; metadata?: unknown };
  if (metadata !== undefined && metadata !== null && !isObject(metadata)) {
    throw invalidParams('metadata of a part must be an object.');
  }
  const common = isObject(metadata) ? { metadata } : {};
  switch (kind) {
    case 'text':
      if (typeof part['text'] !== 'string') throw invalidParams('text of a part must be a string.');
      return { text: part['text'], ...common };
    case 'data':
      return readData(part['data'], common);
    case 'file':
      return { ...readFile(part['file']), ...common };
    default:
      throw invalidParams('kind of a part must be text, file or data.');
  }
}

function readData(data: unknown, { metadata }: { metadata?: JsonObject }): JsonObject {
  if (!isObject(data)) throw invalidParams('data of a part must be an object.');
  if (metadata === undefined) return { data };
  const { [WRAPPED_VALUE_KEY]: wrapped, ...rest } = metadata;
  if (wrapped !== true || !('value' in data)) return { data, metadata };
  return { data: data['value'], ...(Object.keys(rest).length === 0 ? {} : { metadata: rest }) };
}

function readFile(file: unknown): JsonObject {
  if (!isObject(file)) throw invalidParams('file of a part must be an object.');
  const { uri, bytes, mimeType, name } = file as Record<string, unknown>;
  const held = [uri, bytes].filter((each) => each !== undefined && each !== null);
  if (held.length !== 1 || typeof held[0] !== 'string') {
    throw invalidParams('file of a part must hold one of uri and bytes, as a string.');
  }
  return {
    ...(held[0] === uri ? { url: uri } : { raw: bytes }),
    ...(mimeType === undefined ? {} : { mediaType: mimeType }),
    ...(name === undefined ? {} : { filename: name }),
  };
}
