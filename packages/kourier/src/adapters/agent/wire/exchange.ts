import type { Readable } from 'node:stream';
import type { Failure } from '../../../ports/agent.ts';
import { encodingFailure, thrownFailure, unknown } from './failures.ts';
import { retryAfterHeader } from './retry-after.ts';
import type { Way, WayAnswer, WayRequest } from './way.ts';

export interface HttpCall extends WayRequest {
  /** From the call to its response headers, connecting included (rule D6). */
  readonly headersMs: number;
  readonly way: Way;
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
    const { headersMs: _, way, ...request } = call;
    return answerOf(await way.call({ ...request, signal: controller.signal }), call.url);
  } catch (error) {
    if (call.signal.aborted) return CALLED_OFF;
    return late ? unknown(`no response headers within ${call.headersMs} ms`) : thrownFailure(error);
  } finally {
    clearTimeout(timer);
    call.signal.removeEventListener('abort', stop);
  }
}

function answerOf({ status, headers, body }: WayAnswer, url: URL): HttpAnswer | Failure {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    discard(body);
    return encodingFailure(status);
  }
  return {
    kind: 'answer',
    status,
    retryAfterMs: retryAfterHeader(headers['retry-after'], Date.now()),
    target: redirectTarget(headers.location, url),
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
