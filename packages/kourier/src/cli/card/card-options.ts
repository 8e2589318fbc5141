import type { WireVersion } from '@agentkourier/a2a/wire-version';
import { CARD_ACTIONS } from '../commands.ts';
import type { Values } from '../parse.ts';
import { UsageError } from '../usage-error.ts';

type Action = (typeof CARD_ACTIONS)[number];

/** Where a document is: a path, standard input, or an address. */
export type Place =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'stdin' }
  | { readonly kind: 'web'; readonly url: URL };

/** What `kourier card` is to do. */
export type CardOptions =
  | {
      readonly action: 'validate';
      readonly card: Place;
      /** Absent: what the card says. */
      readonly protocol?: WireVersion;
      readonly json: boolean;
    }
  | { readonly action: 'sign'; readonly card: Place; readonly key: Place }
  | { readonly action: 'verify'; readonly card: Place; readonly jwks: Place; readonly json: boolean };

/** Throws `UsageError`. */
export function cardOptions([word, where = '']: readonly string[], values: Values): CardOptions {
  const action = CARD_ACTIONS.find((known) => known === word) ?? 'validate';
  const card = placeOf(where, 'card');
  const json = values.has('json');
  switch (action) {
    case 'validate': {
      const version = values.get('protocol')?.at(-1);
      return { action, card, json, ...(version === '0.3' || version === '1.0' ? { protocol: version } : {}) };
    }
    case 'sign':
      if (card.kind === 'web') throw new UsageError('card sign takes no URL', 'write the FILE that the agent serves');
      return { action, card, key: placeOf(needed(values, action, 'key', 'JWK'), 'key', ['file']) };
    case 'verify':
      return { action, card, jwks: placeOf(needed(values, action, 'jwks', 'FILE'), 'key set', ['file', 'web']), json };
  }
}

function needed(values: Values, action: Action, name: string, value: string): string {
  const text = values.get(name)?.at(-1);
  if (text !== undefined) return text;
  throw new UsageError(`card ${action} needs --${name}`, `write --${name} ${value}`);
}

/** What looks like an address is one, or nothing: an unknown scheme is never read as a file (case C022). */
function placeOf(text: string, what: string, kinds: readonly Place['kind'][] = ['file', 'stdin', 'web']): Place {
  const place = anyPlace(text);
  if (place !== undefined && kinds.includes(place.kind)) return place;
  const [scheme] = /^[a-z][a-z0-9+.-]+:/i.exec(text) ?? [];
  const allowed = kinds.includes('web') ? 'a path, or an address that begins with http:// or https://' : 'a path';
  const why =
    scheme === undefined ? `${what} ${text || '""'} cannot be read` : `${what} ${text} is no file and no web address`;
  throw new UsageError(why, `write ${allowed}`);
}

function anyPlace(text: string): Place | undefined {
  if (text === '-') return { kind: 'stdin' };
  if (text === '') return undefined;
  if (!/^[a-z][a-z0-9+.-]+:/i.test(text)) return { kind: 'file', path: text };
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.username === '' && url.password === '' ? { kind: 'web', url } : undefined;
}
