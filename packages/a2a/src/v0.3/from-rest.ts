import { isObject, type JsonObject } from '../json-value.ts';

/**
 * A result of A2A 0.3's HTTP+JSON binding as its JSON-RPC binding spells it: the protocol buffers call a message's parts
 * `content`, a file's place `fileWithUri` and `fileWithBytes`, and wrap the value of a data part once more.
 */
export function fromRest(value: unknown): unknown {
  return converted(value, DEPTH);
}

/** A message stands four objects deep at most: task, status, message. Deeper ones are none of ours, however deep. */
const DEPTH = 4;

function converted(value: unknown, depth: number): unknown {
  if (!isObject(value) || depth === 0) return value;
  const inner = (item: unknown): unknown => converted(item, depth - 1);
  const result: Record<string, unknown> = { ...value };
  for (const name of ['task', 'msg', 'message', 'statusUpdate', 'artifactUpdate']) {
    if (isObject(result[name])) result[name] = inner(result[name]);
  }
  if (isObject(result['status'])) result['status'] = inner(result['status']);
  if (isObject(result['update'])) result['message'] ??= inner(result['update']);
  if (isObject(result['artifact'])) result['artifact'] = inner(result['artifact']);
  for (const name of ['history', 'artifacts']) {
    if (Array.isArray(result[name])) result[name] = result[name].map(inner);
  }
  const parts = result['content'] ?? result['parts'];
  if (Array.isArray(parts)) result['parts'] = parts.map((part) => (isObject(part) ? fromProtoPart(part) : part));
  return result;
}

function fromProtoPart(part: JsonObject): JsonObject {
  const { file, data } = part;
  // Some servers write the JSON-RPC binding's parts here too, and those say what they are.
  if ('kind' in part) return part;
  if (isObject(file)) {
    const { fileWithUri, fileWithBytes, ...others } = file;
    return {
      ...part,
      file: { ...others, uri: fileWithUri ?? others['uri'], bytes: fileWithBytes ?? others['bytes'] },
    };
  }
  if (isObject(data) && 'data' in data) return { ...part, data: data['data'] };
  return part;
}
