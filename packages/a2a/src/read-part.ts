import { isObject, type JsonObject, type Loose, objectOf, textOf } from './json-value.ts';
import type { Part } from './model.ts';

const NO_PARTS: readonly Part[] = Object.freeze([]);

type WirePart = Loose<
  'kind' | 'type' | 'text' | 'data' | 'file' | 'url' | 'raw' | 'mediaType' | 'filename' | 'metadata'
>;

/** The parts of a message or artifact; `null` and anything else that is no object is left out. */
export function readParts(value: unknown): readonly Part[] {
  if (!Array.isArray(value)) return NO_PARTS;
  const parts: Part[] = [];
  for (const item of value) {
    if (isObject(item)) parts.push(readPart(item));
  }
  return parts;
}

/** One part of any version: told by `kind` (0.3), by `type` (0.2), or by the member that holds its content (1.0). */
export function readPart(source: JsonObject): Part {
  const part: WirePart = source;
  const metadata = isObject(part.metadata) ? part.metadata : undefined;
  if (typeof part.text === 'string') return { kind: 'text', text: part.text, metadata, source };
  const kind = part.kind ?? part.type;
  if (kind === 'data' || (kind === undefined && 'data' in source))
    return { kind: 'data', data: part.data, metadata, source };
  if (part.file !== undefined || part.url !== undefined || part.raw !== undefined)
    return readFile(source, part, metadata);
  return { kind: 'unknown', metadata, source };
}

function readFile(source: JsonObject, part: WirePart, metadata: JsonObject | undefined): Part {
  const file = objectOf<'uri' | 'bytes' | 'mimeType' | 'name'>(part.file);
  return {
    kind: 'file',
    url: textOf(part.url) ?? textOf(file?.uri),
    raw: textOf(part.raw) ?? textOf(file?.bytes),
    mediaType: textOf(part.mediaType) ?? textOf(file?.mimeType),
    filename: textOf(part.filename) ?? textOf(file?.name),
    metadata,
    source,
  };
}
