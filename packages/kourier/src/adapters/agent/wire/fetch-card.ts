import { type AgentCard, readCard } from '@agentkourier/a2a/card';
import { parseJson } from '@agentkourier/a2a/json-value';
import { LIMITS } from '../../../core/limits.ts';
import type { Failure } from '../../../ports/agent.ts';
import { discard, exchange, type HttpAnswer, type HttpCall } from './exchange.ts';
import { notSent, statusFailure } from './failures.ts';
import { gatewayRefusal } from './gateway-refusal.ts';
import { ERROR_BODY_BYTES, readBody } from './read-body.ts';

export type CardFetch = { readonly kind: 'card'; readonly card: AgentCard } | CardFailure;

/** `noCard`: the place answers, but not with a card; it may stand elsewhere (decision 1). */
export interface CardFailure {
  readonly kind: 'failed';
  readonly failure: Failure;
  readonly noCard: boolean;
}

export type CardCall = Omit<HttpCall, 'method' | 'body'> & {
  readonly bodyMs: number;
  /** As in `Target`. */
  readonly inSpace: string | undefined;
};

/**
 * GETs a card. Whatever goes wrong, no turn was sent: all but rejected credentials is `not-sent` (rule D2). A page or a
 * 405 is no card, never the agent's answer (case C011).
 */
export async function fetchCard({ bodyMs, inSpace, ...call }: CardCall): Promise<CardFetch> {
  const answer = await exchange({ ...call, method: 'GET' });
  if (answer.kind === 'called-off') return failed(notSent('the call was called off'));
  if (answer.kind !== 'answer') return failed(asCardFailure(answer));
  const { status, retryAfterMs, target, body } = answer;
  if (status < 200 || status > 299) {
    const refused = inSpace === undefined ? undefined : await refusedBy(answer, { ...call, bodyMs, inSpace });
    discard(body);
    if (refused !== undefined) return failed(refused);
    return failed(asCardFailure(statusFailure(status, retryAfterMs, target)), status === 404 || status === 405);
  }
  const reading = await readBody(body, { maxBytes: LIMITS.cardBytes, withinMs: bodyMs, signal: call.signal });
  if (reading.kind === 'over') return failed(notSent(`agent card: over ${LIMITS.cardBytes} bytes`));
  if (reading.kind !== 'text') return failed(notSent('agent card: the connection was lost'));
  const value = parseJson(reading.text);
  if (value === undefined) return failed(notSent('agent card: not JSON'), true);
  const card = readCard(value);
  if (card.kind === 'card') return card;
  const places = card.findings.slice(0, 10).map(({ path, problem }) => `${path} ${problem}`);
  return failed(notSent(`not an agent card: ${places.join(', ')}`), true);
}

/** By the gateway of the Space that the agent is in. */
async function refusedBy(
  { body, retryAfterMs }: HttpAnswer,
  { signal, bodyMs, inSpace }: Pick<CardCall, 'signal' | 'bodyMs'> & { readonly inSpace: string },
): Promise<Failure | undefined> {
  const reading = await readBody(body, { maxBytes: ERROR_BODY_BYTES, withinMs: bodyMs, signal });
  if (reading.kind !== 'text') return undefined;
  return gatewayRefusal(parseJson(reading.text), { agent: inSpace, retryAfterMs });
}

const failed = (failure: Failure, noCard = false): CardFetch => ({ kind: 'failed', failure, noCard });

function asCardFailure(failure: Failure): Failure {
  if (failure.kind === 'credentials') return { kind: 'credentials', why: `agent card: ${failure.why}` };
  const retryAfterMs = 'retryAfterMs' in failure ? failure.retryAfterMs : undefined;
  return notSent(`agent card: ${failure.why}`, retryAfterMs);
}
