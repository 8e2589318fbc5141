import { type GuardedFetchOptions, guardedTransport } from '@agentkourier/agent';
import type { Headers } from './headers.ts';
import type { Endpoint } from './target.ts';
import { CONNECT_MS, type Way } from './way.ts';

/** What lies beyond this process; the machine's own unless given. */
export type Network = Pick<GuardedFetchOptions, 'resolve' | 'dial' | 'ca'>;

/** How long a stream is quiet, how long headers take and how large what is read may grow, each reader of a body bounds itself. */
const OURS_TO_BOUND = {
  headersMs: Number.POSITIVE_INFINITY,
  idleMs: Number.POSITIVE_INFINITY,
  responseBytes: Number.POSITIVE_INFINITY,
  eventStreamBytes: Number.POSITIVE_INFINITY,
};

/**
 * To public addresses over HTTPS only, judged anew at each call (`egress: { mode: public }`; cases C175, C176, C178). The
 * ports are those that the configuration names. The standing headers hold secrets, so they are credentials: read when a
 * call has been let out. `closed` ends every call.
 */
export function guardedWay(endpoint: Endpoint, standing: Headers, network: Network, closed: AbortSignal): Way {
  const ports = [portOf(endpoint.url), portOf(endpoint.cardUrl)];
  const transport = guardedTransport(
    { route: 'public', enabled: true, ports },
    { ...network, limits: { connectMs: CONNECT_MS, ...OURS_TO_BOUND }, credentials: () => standing },
  );
  return {
    call: ({ method, url, headers, body, signal }) =>
      transport.call({
        ...{ method, url: url.href, headers, signal: AbortSignal.any([signal, closed]) },
        ...(body === undefined ? {} : { body: Buffer.from(body) }),
      }),
  };
}

const portOf = ({ port }: URL): number => Number(port || 443);
