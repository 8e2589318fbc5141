import { type FetchFunction, WebClient } from '@slack/web-api';
import type { Clock } from '../../../../ports/clock.ts';
import type { Observe } from '../../../../ports/observer.ts';
import type { Json } from '../json.ts';
import { SILENT } from '../slack-api.ts';
import { SLACK } from '../slack-limits.ts';
import { BUSY, type CallOutcome, callOutcome } from './call-outcome.ts';
import { Limiter, type Priority } from './limiter.ts';

export interface CallOptions {
  readonly priority: Priority;
  /** Of a post: its channel has a rate of its own. */
  readonly channel?: string;
  /** How long it may wait for its turn. */
  readonly waitMs?: number;
  /** Said when it need not wait any more. */
  readonly over?: AbortSignal;
}

/** Slack's Web API at the rate that Slack takes. Repeats nothing by itself, never rejects. */
export interface SlackCalls {
  call(method: string, args: Json, options: CallOptions): Promise<CallOutcome>;
}

export interface SlackCallsOptions {
  readonly platform: string;
  readonly botToken: string;
  readonly apiUrl: string;
  readonly clock: Clock;
  readonly observe: Observe;
}

const WAIT_MS = 30_000;

/**
 * The official client with its own repeating off: it would post twice what Slack took before a connection was lost, and
 * hold up every call where one is limited (slack.md 1.3). These options are for nothing else: a socket with them never
 * comes back.
 */
export function slackCalls({ platform, botToken, apiUrl, clock, observe }: SlackCallsOptions): SlackCalls {
  const client = new WebClient(botToken, {
    slackApiUrl: apiUrl,
    logger: SILENT,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    fetch: fetchWithin(SLACK.callMs, clock),
  });
  const limiter = new Limiter(clock);
  return {
    async call(method, args, { waitMs = WAIT_MS, over, ...turnstile }) {
      const entered = await limiter.enter({ method, ...turnstile }, clock.now() + waitMs, over);
      if (entered.kind === 'busy') return { kind: 'not-sent', why: BUSY, retryAfterMs: entered.retryAfterMs };
      const outcome = await made(client, method, args);
      if (outcome.kind === 'not-sent' && outcome.why === 'ratelimited') {
        limiter.hold(method, outcome.retryAfterMs ?? WAIT_MS);
      }
      observe({
        event: 'chat-called',
        platform,
        method,
        outcome: outcome.kind === 'no' ? outcome.error : outcome.kind,
      });
      return outcome;
    },
  };
}

async function made(client: WebClient, method: string, args: Json): Promise<CallOutcome> {
  try {
    return { kind: 'ok', body: { ...(await client.apiCall(method, { ...args })) } };
  } catch (error) {
    return callOutcome(error);
  }
}

/** The time-out by our clock: it covers the body of the answer too. */
function fetchWithin(withinMs: number, clock: Clock): FetchFunction {
  return async (url, init) => {
    const abort = new AbortController();
    const callOff = clock.wakeAt(clock.now() + withinMs, () => abort.abort(new Error('no answer in time')));
    try {
      const response = await fetch(url, { ...init, signal: abort.signal });
      const body = await response.arrayBuffer();
      const { status, statusText, headers } = response;
      // 101, 204, 205 and 304 take no body, and say nothing of Slack's.
      const isEmpty = [101, 204, 205, 304].includes(status);
      return new Response(isEmpty ? null : body, { status, statusText, headers });
    } finally {
      callOff();
    }
  };
}
