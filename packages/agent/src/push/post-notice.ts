import { PUSH_LIMITS } from '../limits.ts';
import { type Notice, noticeId, type Payload } from './notice.ts';
import type { Sign } from './signing-key.ts';
import type { Webhook } from './webhook.ts';

/**
 * How a webhook is posted to: as `fetch`, and the guarded one is meant. `check`, where it has one, says at creation
 * whether a URL would be let out, and rejects when not. An error whose `retryable` is `false` is final.
 */
export interface PushFetch {
  (url: string, init: RequestInit): Promise<Response>;
  check?(url: string): Promise<void>;
}

/** Waits so many milliseconds; rejects when the signal aborts. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<unknown>;

/** How an attempt went. `why` is for the log: it holds nothing of the webhook but numbers and codes. */
export type Attempt =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly why: string; readonly unsubscribes: boolean }
  | { readonly kind: 'failed'; readonly why: string; readonly retryAfterMs: number };

export interface Posting {
  readonly fetch: PushFetch;
  readonly signers: readonly Sign[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly wait: Wait;
}

/**
 * Makes one attempt. Follows no redirect, reads nothing of the answer's body, and takes `PUSH_LIMITS.timeoutMs` at most.
 * Rejects only when `signal` aborts.
 */
export async function postNotice(
  { webhook, notice, payload }: { readonly webhook: Webhook; readonly notice: Notice; readonly payload: Payload },
  { fetch, signers, now, wait }: Posting,
  signal: AbortSignal,
): Promise<Attempt> {
  const timestamp = String(Math.floor(now() / 1_000));
  const headers = headersOf(webhook, { id: noticeId(notice, webhook), timestamp, payload, signers });
  const { body } = payload;
  const over = new AbortController();
  const aborted = AbortSignal.any([signal, over.signal]);
  try {
    const posted = fetch(webhook.url, { method: 'POST', headers, body, redirect: 'manual', signal: aborted });
    const late = wait(PUSH_LIMITS.timeoutMs, aborted).then(() => 'late' as const);
    const response = await Promise.race([posted, late]);
    if (response === 'late') {
      posted.then(drop, () => undefined);
      return failed(`no answer in ${PUSH_LIMITS.timeoutMs} ms`);
    }
    drop(response);
    return judge(response, now());
  } catch (error) {
    signal.throwIfAborted();
    return isFinal(error) ? refused(codeOf(error)) : failed(codeOf(error));
  } finally {
    over.abort();
  }
}

function headersOf(
  { token, authentication }: Webhook,
  signed: {
    readonly id: string;
    readonly timestamp: string;
    readonly payload: Payload;
    readonly signers: readonly Sign[];
  },
): Record<string, string> {
  const { id, timestamp, signers } = signed;
  const { contentType, body } = signed.payload;
  const { scheme = '', credentials = '' } = authentication ?? {};
  return {
    'content-type': contentType,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...(signers.length === 0
      ? {}
      : { 'webhook-signature': signers.map((sign) => sign(`${id}.${timestamp}.${body}`)).join(' ') }),
    ...(authentication === undefined ? {} : { authorization: `${scheme} ${credentials}` }),
    ...(token === undefined ? {} : { 'x-a2a-notification-token': token }),
  };
}

function judge({ status, headers }: Response, now: number): Attempt {
  if (status >= 200 && status < 300) return { kind: 'taken' };
  const why = `HTTP ${status}`;
  // As Standard Webhooks has it: who answers 410 wants to hear nothing any more.
  if (status === 410) return { kind: 'refused', why, unsubscribes: true };
  if (status !== 408 && status !== 429 && status < 500) return refused(why);
  return { kind: 'failed', why, retryAfterMs: retryAfter(headers.get('retry-after') ?? '', now) };
}

/** Seconds or a date (RFC 9110, section 10.2.3); what is neither says nothing. */
function retryAfter(value: string, now: number): number {
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return ms > 0 ? Math.min(ms, PUSH_LIMITS.retryAfterMs) : 0;
}

const refused = (why: string): Attempt => ({ kind: 'refused', why, unsubscribes: false });
const failed = (why: string): Attempt => ({ kind: 'failed', why, retryAfterMs: 0 });

function drop(response: Response): void {
  response.body?.cancel().catch(() => undefined);
}

/** Whether the transport says that the same will never go well. */
export function isFinal(error: unknown): boolean {
  return error instanceof Error && 'retryable' in error && error.retryable === false;
}

/** A code alone: the message of a failed call may repeat the address, and secrets stand in addresses. */
export function codeOf(error: unknown): string {
  for (const each of error instanceof Error ? [error, error.cause] : []) {
    if (each instanceof Error && 'code' in each && typeof each.code === 'string') return each.code;
  }
  return error instanceof Error ? error.name : 'unknown';
}
