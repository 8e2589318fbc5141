import { createHmac } from 'node:crypto';
import { type Json, jsonIn, textIn } from './json.ts';

export const MARKER_EVENT = 'kourier_delivery';

/** What a message is found by again. Whoever may see a message may see its metadata: a key says nothing (slack.md 2). */
export interface Marker {
  /** The `metadata` of a message. */
  of(place: string, key: string): { event_type: string; event_payload: { key: string } };
  isOf(message: Json, place: string, key: string): boolean;
  /** It has a marker, of whatever key. */
  isMarked(message: Json): boolean;
}

/** `secret`: the bot's token, so that everybody who posts for the app finds what the others posted. */
export function marker(secret: string): Marker {
  const own = createHmac('sha256', secret).update('kourier delivery marker').digest();
  const keyOf = (place: string, key: string): string =>
    createHmac('sha256', own)
      .update(JSON.stringify([place, key]))
      .digest('base64url')
      .slice(0, 32);
  return {
    of: (place, key) => ({ event_type: MARKER_EVENT, event_payload: { key: keyOf(place, key) } }),
    isOf: (message, place, key) => markedKey(message) === keyOf(place, key),
    isMarked: (message) => markedKey(message) !== undefined,
  };
}

function markedKey(message: Json): string | undefined {
  const metadata = jsonIn(message, 'metadata');
  if (textIn(metadata, 'event_type') !== MARKER_EVENT) return undefined;
  return textIn(jsonIn(metadata, 'event_payload'), 'key');
}
