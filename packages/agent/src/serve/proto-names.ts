import { isObject, type JsonObject } from '@agentkourier/a2a/json-value';

/**
 * Params in which the protocol's own members are spelt as in `taskId`. A2A is JSON of protocol buffers, whose readers
 * also take `task_id`, and there are clients that send it. What callers made up, as metadata and data, stays as it is.
 */
export function protoNames(params: JsonObject): JsonObject {
  const renamed = rename(params);
  const { message, configuration } = renamed as { message?: unknown; configuration?: unknown };
  return {
    ...renamed,
    ...(isObject(message) ? { message: renameMessage(message) } : {}),
    ...(isObject(configuration) ? { configuration: rename(configuration) } : {}),
  };
}

function renameMessage(message: JsonObject): JsonObject {
  const renamed = rename(message);
  const parts = renamed['parts'];
  return Array.isArray(parts)
    ? { ...renamed, parts: parts.map((part: unknown) => (isObject(part) ? rename(part) : part)) }
    : renamed;
}

function rename(from: JsonObject): JsonObject {
  if (!Object.keys(from).some((key) => key.includes('_'))) return from;
  return Object.fromEntries(Object.entries(from).map(([key, value]) => [camelCase(key), value]));
}

const camelCase = (name: string): string => name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
