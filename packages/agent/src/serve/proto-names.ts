import { isObject, type JsonObject } from '@agentkourier/a2a/json-value';

/**
 * Params in which the protocol's own members are spelt as in `taskId`. A2A is JSON of protocol buffers, whose readers
 * also take `task_id`, and there are clients that send it. What callers made up, as metadata and data, stays as it is.
 * So does, uncopied, whatever needs no renaming: nearly every request.
 */
export function protoNames(params: JsonObject): JsonObject {
  const renamed = rename(params);
  const { message, configuration } = renamed as { message?: unknown; configuration?: unknown };
  const named = isObject(message) ? withMember(renamed, 'message', renameMessage(message)) : renamed;
  return isObject(configuration) ? withMember(named, 'configuration', rename(configuration)) : named;
}

function renameMessage(message: JsonObject): JsonObject {
  const renamed = rename(message);
  const parts = renamed['parts'];
  if (!Array.isArray(parts) || !parts.some(isSpeltOtherwise)) return renamed;
  return { ...renamed, parts: parts.map((part: unknown) => (isObject(part) ? rename(part) : part)) };
}

function withMember(from: JsonObject, name: string, value: JsonObject): JsonObject {
  return from[name] === value ? from : { ...from, [name]: value };
}

function rename(from: JsonObject): JsonObject {
  if (!isSpeltOtherwise(from)) return from;
  return Object.fromEntries(Object.entries(from).map(([key, value]) => [camelCase(key), value]));
}

function isSpeltOtherwise(from: unknown): boolean {
  if (!isObject(from)) return false;
  for (const key in from) if (key.includes('_')) return true;
  return false;
}

const camelCase = (name: string): string => name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
