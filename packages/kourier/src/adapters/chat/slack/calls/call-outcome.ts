import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api';
import type { Json } from '../json.ts';
import { whyOf } from '../slack-log.ts';

/** What came of a call. Every end is one of these: done, certainly not done, or not known (slack.md 2). */
export type CallOutcome =
  | { readonly kind: 'ok'; readonly body: Json }
  /** Slack said no, with its word for it. */
  | { readonly kind: 'no'; readonly error: string }
  | { readonly kind: 'not-sent'; readonly why: string; readonly retryAfterMs?: number }
  | { readonly kind: 'unknown'; readonly why: string };

/** Why a call was not sent that did not get its turn in time. */
export const BUSY = 'busy';
/** Slack's words for not knowing itself. */
const UNSURE = ['fatal_error', 'internal_error', 'request_timeout', 'service_unavailable'];
/** The connection was never there, so nothing went out on it. */
const NEVER_CONNECTED = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

export function callOutcome(error: unknown): Exclude<CallOutcome, { kind: 'ok' }> {
  if (error instanceof WebAPIRateLimitedError) {
    return { kind: 'not-sent', why: 'ratelimited', retryAfterMs: Math.max(1, error.retryAfter) * 1_000 };
  }
  if (error instanceof WebAPIPlatformError) {
    const word = error.data.error;
    // A body that is no JSON comes as an error too, with all of it as the word.
    const isWord = typeof word === 'string' && /^[a-z_]{1,80}$/.test(word);
    if (!isWord || UNSURE.includes(word)) return { kind: 'unknown', why: isWord ? word : 'no answer of Slack' };
    if (word === 'ratelimited' || word === 'rate_limited') return { kind: 'not-sent', why: word };
    return { kind: 'no', error: word };
  }
  if (error instanceof WebAPIHTTPError) {
    const why = `HTTP ${error.statusCode}`;
    return error.statusCode >= 400 && error.statusCode < 500 ? { kind: 'not-sent', why } : { kind: 'unknown', why };
  }
  if (error instanceof WebAPIRequestError && neverConnected(error.original)) {
    return { kind: 'not-sent', why: whyOf(error.original) };
  }
  return { kind: 'unknown', why: whyOf(error instanceof WebAPIRequestError ? error.original : error) };
}

function neverConnected(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && NEVER_CONNECTED.includes(String(cause.code))) return true;
    if (cause instanceof AggregateError && cause.errors.length > 0) return cause.errors.every(neverConnected);
  }
  return false;
}
