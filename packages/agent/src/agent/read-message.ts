import { arrayOf, isObject, type Loose } from '@agentkourier/a2a/json-value';
import type { TurnMessage } from '../run/turn-run.ts';
import type { WireMessage } from '../task/wire.ts';
import type { MessagePart } from './pieces.ts';

/** A message of the wire, whose parts were checked, as a turn sees it. */
export function readTurnMessage(message: WireMessage): TurnMessage {
  return new ReadMessage(message);
}

/** Most turns ask for the text alone, and one that waits keeps what it was given. */
class ReadMessage implements TurnMessage {
  readonly #message: WireMessage;
  #parts: readonly MessagePart[] | undefined;

  constructor(message: WireMessage) {
    this.#message = message;
  }

  get messageId(): string {
    return this.#message.messageId;
  }

  get text(): string {
    return arrayOf(this.#message['parts']).reduce(withText, '');
  }

  get parts(): readonly MessagePart[] {
    this.#parts ??= arrayOf(this.#message['parts']).filter(isObject).map(toPart);
    return this.#parts;
  }

  get metadata(): Readonly<Record<string, unknown>> {
    const metadata = this.#message['metadata'];
    return isObject(metadata) ? metadata : {};
  }
}

function withText(before: string, part: unknown): string {
  const text = isObject(part) ? part['text'] : undefined;
  return typeof text === 'string' ? before + text : before;
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
  const refused = arrayOf(message['parts']).find((part) => {
    const type = isObject(part) ? typeOf(part) : undefined;
    return type !== undefined && !modes.some((mode) => takes(mode, type));
  });
  return isObject(refused) ? typeOf(refused) : undefined;
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
