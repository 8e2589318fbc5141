import { jsonExcess } from '@agentkourier/a2a/json-bounds';
import { parseJson } from '@agentkourier/a2a/json-value';
import { type Upstream, UpstreamFailed } from '../ports/space/upstream.ts';
import { SPACE_LIMITS } from './limits.ts';

const CARD_PATH = '/.well-known/agent-card.json';

/** Where the card is that a URL names: a card (`….json`), or an agent, whose card is at the well-known path below it. */
export function cardPlace(url: string): string {
  const place = new URL(url);
  if (place.pathname.endsWith('.json')) return place.href;
  place.pathname = place.pathname.replace(/\/+$/, '') + CARD_PATH;
  place.search = '';
  return place.href;
}

/** The card at a URL, read within bounds. Rejects with an `UpstreamFailed`, whose code says what was wrong. */
export async function fetchCard(
  url: string,
  upstream: Upstream,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<unknown> {
  // An agent of both versions has two cards: without a version it would show the older one (case C139).
  const asked = { accept: 'application/json', 'a2a-version': '1.0', ...headers };
  const request = { method: 'GET', url, headers: asked } as const;
  const answer = await upstream.call(request, signal);
  try {
    if (answer.status !== 200) throw noCard(`A2A_CARD_HTTP_${answer.status}`);
    const decoder = new TextDecoder();
    let text = '';
    await answer.read((piece) => {
      text += decoder.decode(piece, { stream: true });
      if (text.length > SPACE_LIMITS.cardCharacters) throw noCard('A2A_CARD_TOO_LARGE');
    });
    text += decoder.decode();
    const bounds = {
      maxDepth: SPACE_LIMITS.jsonDepth,
      maxStringLength: SPACE_LIMITS.cardCharacters,
      maxContainers: SPACE_LIMITS.jsonContainers,
    };
    const value = jsonExcess(text, bounds) === undefined ? parseJson(text) : undefined;
    if (value === undefined) throw noCard('A2A_CARD_NOT_JSON');
    return value;
  } finally {
    answer.cancel();
  }
}

function noCard(code: string): UpstreamFailed {
  return new UpstreamFailed({
    code,
    text: 'there is no agent card there: look whether the URL is right',
    sent: true,
    retryable: false,
  });
}
