import type { Readable } from 'node:stream';
import { type Dispatcher, request } from 'undici';
import type { Failure } from '../../../ports/agent.ts';
import { notSent, thrownFailure, unknown } from './failures.ts';
import type { Headers } from './headers.ts';
import { retryAfterHeader } from './retry-after.ts';

export interface HttpCall {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Headers;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** From the call to its response headers, connecting included (rule D6). */
  readonly headersMs: number;
  readonly dispatcher: Dispatcher;
}

export interface HttpAnswer {
  readonly kind: 'answer';
  readonly status: number;
  readonly retryAfterMs: number | undefined;
  /** Where a redirect points, for the log: its path, and its host when that is another (case C113). */
  readonly target: string | undefined;
  /** Must be read to its end or destroyed. */
  readonly body: Readable;
}

/** Our side ended the call. */
export interface CalledOff {
  readonly kind: 'called-off';
}

export const CALLED_OFF: CalledOff = { kind: 'called-off' };

/** One HTTP call up to its response headers. Never throws, follows no redirect, repeats nothing. */
export async function exchange(call: HttpCall): Promise<HttpAnswer | CalledOff | Failure> {
  if (call.signal.aborted) return CALLED_OFF;
  const controller = new AbortController();
  let late = false;
  const stop = () => controller.abort();
  const timer = setTimeout(() => {
    late = true;
    stop();
  }, call.headersMs);
  call.signal.addEventListener('abort', stop, { once: true });
  try {
    const { method, headers, dispatcher } = call;
    const body = call.body ?? null;
    const response = await request(call.url, { method, headers, body, dispatcher, signal: controller.signal });
    return answerOf(response, call.url);
  } catch (error) {
    if (call.signal.aborted) return CALLED_OFF;
    return late ? unknown(`no response headers within ${call.headersMs} ms`) : thrownFailure(error);
  } finally {
    clearTimeout(timer);
    call.signal.removeEventListener('abort', stop);
  }
}

function answerOf(response: Dispatcher.ResponseData, url: URL): HttpAnswer | Failure {
  const { statusCode: status, headers, body } = response;
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    discard(body);
    // We did not ask for one, and an unbounded inflation is a risk of its own.
    const failed = status >= 200 && status < 300 ? unknown : notSent;
    return status === 401 || status === 403
      ? { kind: 'credentials', why: `HTTP ${status}` }
      : failed(`HTTP ${status} with a content encoding that was not asked for`);
  }
  return {
    kind: 'answer',
    status,
    retryAfterMs: retryAfterHeader(headers['retry-after'], Date.now()),
    target: redirectTarget(headers['location'], url),
    body,
  };
}

/** Drops what is left of a body, and its connection with it. An error of it is of no interest then. */
export function discard(body: Readable): void {
  body.on('error', () => undefined);
  body.destroy();
}

function redirectTarget(location: unknown, url: URL): string | undefined {
  if (typeof location !== 'string' || !URL.canParse(location, url.href)) return undefined;
  const target = new URL(location, url);
  const place = target.host === url.host ? target.pathname : `${target.protocol}//${target.host}${target.pathname}`;
  return place.slice(0, 200);
}
