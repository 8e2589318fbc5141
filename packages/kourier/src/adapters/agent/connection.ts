import type { AgentCard } from '@agentkourier/a2a/card';
import type { Failure } from '../../ports/agent.ts';
import { WIRE_0_3 } from './a2a-0.3/wire.ts';
import { WIRE_1_0 } from './a2a-1.0/wire.ts';
import { refusalOf } from './wire/admit-card.ts';
import { notSent } from './wire/failures.ts';
import { fetchCard } from './wire/fetch-card.ts';
import { extensionHeaders, traceHeaders } from './wire/headers.ts';
import type { Connected, Target } from './wire/target.ts';
import { HITL_EXTENSION } from './wire/wire.ts';

/**
 * The card of one target: fetched on first use and kept (rule D8). Callers that come while it is fetched share the
 * fetch; a failure is told to all of them and forgotten, so that the next call tries again.
 */
export class Connection {
  readonly #target: Target;
  #connected: Connected | undefined;
  #fetching: Promise<Connected | Failure> | undefined;
  #originSeen = false;

  constructor(target: Target) {
    this.#target = target;
  }

  get card(): AgentCard | undefined {
    return this.#connected?.card;
  }

  connect(traceId: string): Connected | Promise<Connected | Failure> {
    if (this.#connected !== undefined) return this.#connected;
    this.#fetching ??= this.#fetch(traceId).finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #fetch(traceId: string): Promise<Connected | Failure> {
    const fetched = await this.#fetchFrom(this.#target.endpoint.cardUrl, traceId);
    if (fetched.kind === 'failed') {
      return fetched.noCard ? this.#explained(fetched.failure, traceId) : fetched.failure;
    }
    const refusal = refusalOf(fetched.card);
    if (refusal !== undefined) return refusal;
    this.#connected = connectedBy(fetched.card);
    return this.#connected;
  }

  #fetchFrom(url: URL, traceId: string) {
    const { way, timings, spanId, inSpace } = this.#target;
    const { responseHeadersMs } = timings();
    return fetchCard({
      url,
      // The wire is not known yet: a server of both answers with its newest card (case C139).
      headers: { ...traceHeaders(traceId, spanId()), accept: 'application/json', 'a2a-version': '1.0' },
      // Shared by all who wait for it, so that none of them can end it.
      signal: new AbortController().signal,
      headersMs: responseHeadersMs,
      bodyMs: responseHeadersMs,
      ...{ way, inSpace },
    });
  }

  /** Once, the origin is looked at, only to say in the failure where a card was found (decision 1, case C010). */
  async #explained(failure: Failure, traceId: string): Promise<Failure> {
    const { originCardUrl } = this.#target.endpoint;
    if (this.#originSeen || originCardUrl === undefined) return failure;
    this.#originSeen = true;
    const { kind } = await this.#fetchFrom(originCardUrl, traceId);
    if (kind !== 'card') return failure;
    return notSent(`${failure.why}; a card stands at ${originCardUrl.pathname} of the origin`);
  }
}

function connectedBy(card: AgentCard): Connected {
  const wire = card.wire.version === '0.3' ? WIRE_0_3 : WIRE_1_0;
  const asked = card.extensions.some(({ uri }) => uri === HITL_EXTENSION) ? HITL_EXTENSION : undefined;
  const headers = { 'a2a-version': wire.encoder.version, ...extensionHeaders(wire, asked) };
  return { kind: 'connected', card, wire, headers };
}
