import { arrayOf, isObject, type Loose } from '@agentkourier/a2a/json-value';
import type { TurnMessage } from '../run/turn-run.ts';
import type { WireMessage } from '../task/wire.ts';
import type { MessagePart } from './pieces.ts';

/** A message of the wire, whose parts were checked, as a turn sees it. */
export function readTurnMessage(message: WireMessage): TurnMessage {
  const parts = arrayOf(message['parts']).filter(isObject).map(toPart);
  const metadata = message['metadata'];
  return {
    messageId: message.messageId,
    text: parts.map((part) => (part.kind === 'text' ? part.text : '')).join(''),
    parts,
    metadata: isObject(metadata) ? metadata : {},
  };
}

function toPart(part: Readonly<Record<string, unknown>>): MessagePart {
  const { text, url, raw, data, mediaType, filename } = part as Record<string, unknown>;
  if (typeof text === 'string') return { kind: 'text', text };
  const named = {
    ...(typeof mediaType === 'string' && mediaType !== '' ? { mediaType } : {}),
    ...(typeof filename === 'string' && filename !== '' ? { filename } : {}),
  };
  if (typeof url === 'string') return { kind: 'file', url, ...named };
  if (typeof raw === 'string') return { kind: 'file', bytes: Buffer.from(raw, 'base64'), ...named };
  return { kind: 'data', data };
}

/**
 * The media type of the first part that none of the modes takes; `undefined` when all are taken. Text is always taken.
 * A mode is a media type, one such as `image/*`, or the match-all one.
 */
export function refusedType(message: WireMessage, modes: readonly string[]): string | undefined {
  for (const part of arrayOf(message['parts'])) {
    const type = isObject(part) ? typeOf(part) : undefined;
    if (type !== undefined && !modes.some((mode) => takes(mode, type))) return type;
  }
  return undefined;
}

/** The type of a part as it was sent, whose bytes need not be read for it; `undefined` of a text. */
function typeOf({ text, url, raw, mediaType }: Loose<'text' | 'url' | 'raw' | 'mediaType'>): string | undefined {
  if (typeof text === 'string') return undefined;
  if (typeof url !== 'string' && typeof raw !== 'string') return 'application/json';
  return typeof mediaType === 'string' && mediaType !== '' ? mediaType : 'application/octet-stream';
}

function takes(mode: string, type: string): boolean {
  const [wanted = '', given = ''] = [mode, type].map((text) => text.split(';')[0]?.trim().toLowerCase() ?? '');
  return wanted === '*/*' || wanted === given || (wanted.endsWith('/*') && given.startsWith(wanted.slice(0, -1)));
}
