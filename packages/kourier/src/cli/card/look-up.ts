import { readCard } from '@agentkourier/a2a/card';
import { isObject } from '@agentkourier/a2a/json-value';
import { withoutEndSlashes } from '@agentkourier/a2a/without-end-slashes';
import type { WebText } from '../../ports/web-text.ts';
import { type JsonDocument, NotFound, parsed } from './read-json.ts';

const WELL_KNOWN = '/.well-known/agent-card.json';
/** Of A2A 0.2. */
const OLD = '/.well-known/agent.json';

export interface CardOnWeb extends JsonDocument {
  readonly url: URL;
  /** It is not where clients look for it: what was found, as a half sentence, and where it belongs. */
  readonly misplaced?: { readonly found: string; readonly allowed: string };
}

interface Candidate {
  readonly url: URL;
  readonly found?: string;
}

/**
 * The card of an address: the address itself when it ends in `.json`. Else it is an agent's base, and the card is below it
 * (rules C2 and D2). Where there is none, the place of A2A 0.2, the well-known place of the origin (case C010) and the
 * address itself are looked at, so that the fault can say where a card was found. Throws `NotFound`.
 */
export async function lookUpCard(base: URL, webText: WebText): Promise<CardOnWeb> {
  const candidates = candidatesOf(base);
  const allowed = candidates[0]?.url.href ?? base.href;
  const reasons: string[] = [];
  let other: CardOnWeb | undefined;
  for (const { url, found } of candidates) {
    const answer = await webText(url);
    // All are of one server.
    if (answer.kind === 'failed') throw new NotFound(`no agent card at ${base.href}: ${answer.why}`);
    if (answer.kind === 'answer' && answer.status >= 200 && answer.status < 300) {
      const document = parsed(answer.text, url.href);
      if (!('why' in document)) {
        const card = { ...document, url, ...(found === undefined ? {} : { misplaced: { found, allowed } }) };
        if (readCard(document.value).kind === 'card') return card;
        // An empty card is judged as one, where one is expected (case C001).
        if (found === undefined && isObject(document.value)) other ??= card;
        reasons.push(`${url.pathname}: not a card`);
      } else reasons.push(`${url.pathname}: ${document.why}`);
    } else reasons.push(`${url.pathname}: ${answer.kind === 'redirect' ? answer.why : `HTTP ${answer.status}`}`);
  }
  if (other !== undefined) return other;
  throw new NotFound(`no agent card at ${base.href}: ${reasons.join(', ')}`);
}

function candidatesOf(base: URL): readonly Candidate[] {
  if (base.pathname.endsWith(OLD))
    return [{ url: at(base, base.pathname.slice(0, -OLD.length) + WELL_KNOWN) }, { url: base, found: OLD_PLACE }];
  if (base.pathname.endsWith('.json')) return [{ url: base }];
  const path = withoutEndSlashes(base.pathname);
  return [
    { url: at(base, path + WELL_KNOWN) },
    { url: at(base, path + OLD), found: OLD_PLACE },
    ...(path === '' ? [] : [{ url: at(base, WELL_KNOWN), found: `a card at ${WELL_KNOWN} of the origin only` }]),
    { url: base, found: 'the card at the address of the agent itself' },
  ];
}

const OLD_PLACE = `a card at ${OLD} only, the place of A2A 0.2`;

/** Without a query: it belongs to the agent (case C011). */
function at({ origin }: URL, path: string): URL {
  return new URL(origin + path);
}
