import { Agent } from 'undici';
import type { Upstream, UpstreamRequest } from '../../../ports/space/upstream.ts';
import { UPSTREAM_LIMITS, type UpstreamLimits } from '../wire/limits.ts';
import { upstreamFailed } from '../wire/upstream-codes.ts';
import { InsideCall } from './inside-call.ts';

export interface InsideOptions {
  readonly limits?: UpstreamLimits;
  /** PEM certificates that are trusted in place of Node's own. */
  readonly ca?: string;
}

export interface InsideUpstreams {
  /** An agent at these origins (`http://10.0.0.7:8080`), which configuration or an operator gave; it is called nowhere else. */
  to(origins: readonly string[]): Upstream;
  /** Drops every connection; calls under way end as lost. */
  close(): Promise<void>;
}

/** What belongs to a connection and not to a request, or is ours to say. */
const OURS: ReadonlySet<string> = new Set([
  ...['host', 'connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'transfer-encoding', 'te'],
  ...['trailer', 'upgrade', 'expect', 'content-length', 'accept-encoding'],
]);

/** Plain HTTP or HTTPS to agents inside, over connections that are kept for the next call. */
export function insideUpstreams({ limits, ca }: InsideOptions = {}): InsideUpstreams {
  const all = { ...UPSTREAM_LIMITS, ...limits };
  const pool = new Agent({
    // Ours decide. No cap on connections: a stream holds one.
    ...{ headersTimeout: 0, bodyTimeout: 0, pipelining: 1, allowH2: false },
    maxHeaderSize: all.responseHeaderBytes,
    // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
    connect: { timeout: all.connectMs, rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) },
  });
  const upstream = (known: ReadonlySet<string>): Upstream => ({
    call: async ({ method, url, headers, body }, signal) => {
      signal.throwIfAborted();
      const place = URL.canParse(url) ? new URL(url) : undefined;
      if (place === undefined || !known.has(place.origin)) throw upstreamFailed('A2A_UPSTREAM_ADDRESS_REFUSED');
      const { origin } = place;
      const call = new InsideCall(origin, all, signal);
      const request = {
        origin,
        path: place.pathname + place.search,
        method,
        headers: own(headers),
        body: body ?? null,
      };
      try {
        pool.dispatch(request, call);
      } catch (error) {
        call.onResponseError(undefined, error);
      }
      return call.answer;
    },
  });
  return {
    to: (origins) => upstream(new Set(origins.map((origin) => new URL(origin).origin))),
    close: () => pool.destroy(),
  };
}

function own(headers: UpstreamRequest['headers']): Record<string, string> {
  const all: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) if (!OURS.has(name)) all[name] = value;
  all['accept-encoding'] = 'identity';
  return all;
}
