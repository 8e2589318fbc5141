import { EgressRefused } from '../egress/egress-refused.ts';
import type { ClientClock } from './client-clock.ts';
import { ClientError, TransportError } from './client-error.ts';
import { ReplyBody } from './reply-body.ts';

/** What every HTTP call of a client stands on. */
export interface Http {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: ClientClock;
  readonly headersMs: number;
  readonly idleMs: number;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Instead of the usual `headersMs`. */
  readonly headersMs?: number | undefined;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: Headers;
  /** Must be read to its end or closed. */
  readonly body: ReplyBody;
}

/**
 * One HTTP call up to its response headers. Follows no redirect: the answer to one is the redirect itself (case C113).
 * Throws a TransportError, or the caller's own reason when the caller called it off.
 */
export async function exchange(http: Http, request: HttpRequest): Promise<HttpReply> {
  const { method, url, headers, body, signal, headersMs = http.headersMs } = request;
  signal?.throwIfAborted();
  const cut = new AbortController();
  const off = () => cut.abort();
  let late = false;
  const callOff = http.clock.after(headersMs, () => {
    late = true;
    off();
  });
  const release = () => signal?.removeEventListener('abort', off);
  signal?.addEventListener('abort', off, { once: true });
  try {
    const response = await http.fetch(url, {
      method,
      headers: { 'accept-encoding': 'identity', ...headers },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal: cut.signal,
    });
    checkPlace(response, url, off);
    const reading = { clock: http.clock, idleMs: http.idleMs, signal, cut: off, release };
    return { status: response.status, headers: response.headers, body: new ReplyBody(response.body, reading) };
  } catch (error) {
    release();
    signal?.throwIfAborted();
    // What the fetch that was given refuses in words of its own, a Space for one, is not a lost connection.
    if (error instanceof ClientError) throw error;
    if (late) throw new TransportError(`No response headers within ${headersMs} ms.`);
    throw lostConnection(error);
  } finally {
    callOff();
  }
}

/** Who follows redirects has sent the call, and what authenticates it, to a place that nobody judged. */
function checkPlace({ url, redirected }: Response, asked: URL, cut: () => void): void {
  const place = URL.canParse(url) ? new URL(url) : undefined;
  if (!redirected && (place === undefined || withoutHash(place) === withoutHash(asked))) return;
  cut();
  throw new TransportError(
    `The fetch that was given followed a redirect${place === undefined ? '' : ` to ${place.origin}`}: it has to obey redirect: 'manual'.`,
  );
}

const withoutHash = ({ href }: URL): string => href.replace(/#.*$/s, '');

/** What only a connection that was never made ends in: nothing was sent. */
const NO_CONNECTION: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'],
  ...['UND_ERR_CONNECT_TIMEOUT', 'ERR_INVALID_URL', 'ERR_SSL_WRONG_VERSION_NUMBER'],
]);

/** Only the error's code is told: its message may quote a header or an address with a key in it. */
export function lostConnection(error: unknown): TransportError {
  // The guarded transport knows for certain whether anything was sent, and quotes nobody.
  if (error instanceof EgressRefused)
    return new TransportError(error.message, error.sent ? undefined : 'not-delivered');
  const code = errorCode(error);
  if (NO_CONNECTION.has(code) || code.startsWith('ERR_TLS_') || /CERT|SELF_SIGNED|UNABLE_TO_/.test(code)) {
    return new TransportError(`No connection to the agent (${code}).`, 'not-delivered');
  }
  return new TransportError(`The connection to the agent was lost (${code || 'no code'}).`);
}

/** The code of an error, of its cause, or of the first that was tried when several addresses failed. */
function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const own = (error as { readonly code?: unknown }).code;
  if (typeof own === 'string') return own.slice(0, 64);
  if (error instanceof AggregateError) return errorCode(error.errors[0]);
  return errorCode(error.cause);
}
