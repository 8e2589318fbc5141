import { jsonExcess } from '@agentkourier/a2a/json-bounds';
import { parseJson } from '@agentkourier/a2a/json-value';
import { withoutEndSlashes } from '@agentkourier/a2a/without-end-slashes';
import { type Upstream, UpstreamFailed } from '../ports/space/upstream.ts';
import { SPACE_LIMITS } from './limits.ts';

const CARD_PATH = '/.well-known/agent-card.json';

/** Where the card is that a URL names: a card (`….json`), or an agent, whose card is at the well-known path below it. */
export function cardPlace(url: string): string {
  const place = new URL(url);
  if (place.pathname.endsWith('.json')) return place.href;
  place.pathname = withoutEndSlashes(place.pathname) + CARD_PATH;
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
  try {
    return await readCardAt(url, upstream, headers, signal);
  } catch (error) {
    const origin = new URL(CARD_PATH, url).href;
    if (!(error instanceof UpstreamFailed) || !ELSEWHERE.has(error.code) || origin === url) throw error;
    // Many serve below a path, with their card at the origin (case C010): only said, since it may be another agent's.
    const found = await readCardAt(origin, upstream, headers, signal).catch(() => undefined);
    signal.throwIfAborted();
    throw found === undefined
      ? error
      : noCard('A2A_CARD_AT_ORIGIN', `a card stands at ${origin}: name that, if it is it`);
  }
}

/** What tells that there is nothing at this place, and nothing of the agent. */
const ELSEWHERE: ReadonlySet<string> = new Set(['A2A_CARD_HTTP_404', 'A2A_CARD_HTTP_405']);

async function readCardAt(
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

function noCard(code: string, text = 'there is no agent card there: look whether the URL is right'): UpstreamFailed {
  return new UpstreamFailed({ code, text, sent: true, retryable: false });
}
