import { createHash } from 'node:crypto';
import { PATHS } from '../agent/agent-card.ts';
import { CARD_MAX_AGE_S } from '../limits.ts';
import { sendBody } from './deliver.ts';
import type { ProtocolVersion } from './dialect.ts';
import { askedVersion } from './protocol-version.ts';
import type { Asked, Sink } from './sink.ts';

interface Printed {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The public card, in each version that is spoken.
 *
 * Where both are, the version that the request asks for decides, as with any other request: a client of 0.3 names none
 * and gets the card of 0.3, which it could not read otherwise, and a client of 1.0 has to name its own (A2A 1.0, section
 * 3.6). One card for both would have to be neither: the schema of 1.0 takes no member of 0.3.
 */
export class ServedCard {
  readonly #printed: ReadonlyMap<string, Printed>;

  /**
   * `at`: when the card became what it is, in milliseconds since the epoch. `scope`: who may keep it: anybody on the way,
   * or only who asked.
   */
  constructor(cards: ReadonlyMap<ProtocolVersion, object>, at: number, scope: 'public' | 'private' = 'public') {
    const varies = cards.size > 1;
    this.#printed = new Map([...cards].map(([version, card]) => [version, print(card, { at, varies, scope })]));
  }

  /** Whether the card stands at a path. That of 0.2 is for clients of 0.3 that still look there (rule A2). */
  isAt(path: string): boolean {
    return path === PATHS.card || (path === PATHS.card02 && this.#printed.has('0.3'));
  }

  answer(asked: Asked, sink: Sink): void {
    const { method, path } = asked;
    if (method !== 'GET' && method !== 'HEAD') return sendBody(sink, 405, '', '', { allow: 'GET, HEAD' });
    const version = path === PATHS.card02 ? '0.3' : askedVersion(asked);
    const [best] = this.#printed.values();
    const { body, headers } = this.#printed.get(version) ?? (best as Printed);
    const held = asked.header('if-none-match') ?? '';
    const known = held.trim() === '*' || held.includes(headers['etag'] ?? '');
    // The length of what is not sent (RFC 9110, section 8.6).
    const unsent = { ...headers, 'content-length': String(Buffer.byteLength(body)) };
    if (known) return sendBody(sink, 304, '', '', unsent);
    if (method === 'HEAD') return sendBody(sink, 200, '', '', { 'content-type': 'application/json', ...unsent });
    sendBody(sink, 200, body, 'application/json', headers);
  }
}

interface Printing {
  readonly at: number;
  readonly varies: boolean;
  readonly scope: 'public' | 'private';
}

function print(card: object, { at, varies, scope }: Printing): Printed {
  const body = JSON.stringify(card);
  const headers = {
    etag: `"${createHash('sha256').update(body).digest('base64url')}"`,
    'cache-control': `${scope}, max-age=${CARD_MAX_AGE_S}`,
    'last-modified': new Date(at).toUTCString(),
    ...(varies ? { vary: 'A2A-Version' } : {}),
  };
  return { body, headers };
}
