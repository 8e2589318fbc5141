import type { JsonObject } from '@agentkourier/a2a/json-value';
import type { OutgoingMessage, OutgoingPart } from '@agentkourier/a2a/outgoing';

/** A file by its place or by its bytes. */
export type FileToSend = { readonly mediaType?: string; readonly filename?: string; readonly metadata?: JsonObject } & (
  | { readonly url: string }
  | { readonly bytes: Uint8Array }
);

export type PartToSend =
  | string
  | { readonly text: string; readonly metadata?: JsonObject }
  | { readonly data: unknown; readonly metadata?: JsonObject }
  | FileToSend;

/** A message as a caller writes it. A plain string is the same as `{ parts: string }`. */
export interface MessageToSend {
  /** Text, data and files in any mix (rule P1); a string is one text part. */
  readonly parts: string | readonly PartToSend[];
  /** A new one unless given. Give the same one to send a message again. */
  readonly messageId?: string;
  /** The task that this message answers or continues. */
  readonly taskId?: string;
  /** The conversation that it belongs to; a new one unless given. */
  readonly contextId?: string;
  readonly referenceTaskIds?: readonly string[];
  /** The skill that is to answer: `metadata.skillId` (rule P6). */
  readonly skillId?: string;
  readonly metadata?: JsonObject;
  readonly extensions?: readonly string[];
}

export function outgoingMessage(message: MessageToSend, newId: () => string): OutgoingMessage {
  const { parts, messageId = newId(), skillId, metadata, ...others } = message;
  const said = { ...metadata, ...(skillId === undefined ? {} : { skillId }) };
  return {
    ...others,
    messageId,
    parts: (typeof parts === 'string' ? [parts] : parts).map(outgoingPart),
    ...(Object.keys(said).length === 0 ? {} : { metadata: said }),
  };
}

function outgoingPart(part: PartToSend): OutgoingPart {
  if (typeof part === 'string') return { text: part };
  if (!('bytes' in part)) return part;
  const { bytes, ...others } = part;
  const { buffer, byteOffset, byteLength } = bytes;
  return { ...others, raw: Buffer.from(buffer, byteOffset, byteLength).toString('base64') };
}
