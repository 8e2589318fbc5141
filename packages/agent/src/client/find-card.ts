import { type AgentCard, readCard } from '@agentkourier/a2a/card';
import { isObject, parseJson } from '@agentkourier/a2a/json-value';
import { withoutEndSlashes } from '@agentkourier/a2a/without-end-slashes';
import { CLIENT_LIMITS } from '../limits.ts';
import { failedReply } from './agent-reply.ts';
import { type AgentError, CardError } from './client-error.ts';
import { exchange, type Http } from './exchange.ts';

const CARD_PATH = '/.well-known/agent-card.json';
const CARD_PATH_0_2 = '/.well-known/agent.json';

export interface CardSearch {
  readonly http: Http;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
}

export interface FoundCard {
  readonly card: AgentCard;
  readonly url: URL;
}

/**
 * The card of the agent at a URL: below it at the well-known path (rule C2), or the URL itself when that ends in `.json`.
 * Where none is found, the places are looked at where others have put theirs, only to say so (cases C010, C136).
 */
export async function findCard(agentUrl: URL, search: CardSearch): Promise<FoundCard> {
  const isCardUrl = agentUrl.pathname.endsWith('.json');
  const url = isCardUrl ? agentUrl : below(agentUrl, CARD_PATH);
  const found = await getCard(url, search);
  if (found.kind === 'card') return { card: found.card, url };
  const others = isCardUrl || !found.elsewhere ? [] : await othersOf(agentUrl, search);
  throw new CardError([`No agent card at ${place(url)}: ${found.why}.`, ...others].join(' '));
}

/** A card that the caller already has, in either version's JSON. */
export function takeCard(value: unknown): AgentCard {
  const reading = readCard(value);
  if (reading.kind === 'card') return reading.card;
  throw new CardError(`This is no agent card: ${faults(reading.findings)}.`);
}

async function othersOf(agentUrl: URL, search: CardSearch): Promise<readonly string[]> {
  const said: string[] = [];
  const old = below(agentUrl, CARD_PATH_0_2);
  if ((await getCard(old, search)).kind === 'card') {
    said.push(`There is one at the path of A2A 0.2: connect to ${place(old)} if that is the agent.`);
  }
  const origin = new URL(CARD_PATH, agentUrl);
  if (agentUrl.pathname !== '/' && (await getCard(origin, search)).kind === 'card') {
    said.push(`There is one at the origin: connect to ${place(origin)} if that is the agent.`);
  }
  return said;
}

type CardAnswer =
  | { readonly kind: 'card'; readonly card: AgentCard }
  /** `elsewhere`: the place answers, and not with a card, so that it may stand at another. */
  | { readonly kind: 'none'; readonly why: string; readonly elsewhere: boolean };

async function getCard(url: URL, { http, headers, signal }: CardSearch): Promise<CardAnswer> {
  const reply = await exchange(http, {
    method: 'GET',
    url,
    headers: { accept: 'application/json', ...headers },
    signal,
  });
  if (reply.status < 200 || reply.status > 299) {
    const error: AgentError = await failedReply(reply, http.clock.now());
    const why = reply.status < 400 ? error.message.replace(/^The agent answered /, '') : `HTTP ${reply.status}`;
    return { kind: 'none', why, elsewhere: reply.status === 404 || reply.status === 405 };
  }
  const value = parseJson(await reply.body.text(CLIENT_LIMITS.cardBytes));
  if (!isObject(value)) return { kind: 'none', why: 'what stands there is not JSON', elsewhere: true };
  const reading = readCard(value);
  if (reading.kind === 'card') return reading;
  return { kind: 'none', why: faults(reading.findings), elsewhere: true };
}

function faults(findings: readonly { readonly path: string; readonly problem: string }[]): string {
  return findings
    .slice(0, 10)
    .map(({ path, problem }) => `${path} ${problem}`)
    .join(', ');
}

/** Joined, never replaced (case C011); a query of the agent's URL is not the card's. */
function below(url: URL, path: string): URL {
  return new URL(withoutEndSlashes(url.pathname) + path, url);
}

/** Without a query, in which a key may stand. */
const place = ({ origin, pathname }: URL): string => origin + pathname;
