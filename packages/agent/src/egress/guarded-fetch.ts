import { webBody } from './bounded-body.ts';
import type { EgressPolicy } from './egress-policy.ts';
import { admit, type Carried, carryOut, checkCall, type GuardedFetchOptions } from './guarded-call.ts';

export interface GuardedFetch {
  (input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /**
   * Whether a call to this URL would be let out now: policy, URL, lookup, addresses. Rejects with `EgressRefused`. Each
   * call is judged again, whatever this said before (cases C118, C178).
   */
  check(url: string | URL): Promise<void>;
}

/**
 * `fetch` for addresses that others made up: of agents, cards and webhooks (rule A4, cases C118, C175, C176, C178).
 * HTTPS only; the name is looked up for each call, all its addresses must be public, and the connection goes to these
 * with Host and TLS name kept. No redirect, proxy, cookie, cache, compression or reuse of connections. Rejects with
 * `EgressRefused`, whose codes docs/egress.md lists; with the reason of `init.signal` once it aborts; and with a
 * TypeError for a request that `fetch` would not take either. `init.redirect` and the like are ignored.
 *
 * The response's body streams, and errors in the same ways. Read it to the end or cancel it; one that nobody reads is
 * dropped after `idleMs`. A request's body is sent whole, with its length.
 */
export function guardedFetch(policy: EgressPolicy | undefined, options: GuardedFetchOptions = {}): GuardedFetch {
  const call = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const admitted = admit(policy, input instanceof Request ? input.url : String(input));
    const request = new Request(input, init);
    const caller = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    const { method } = request;
    const headers = Object.fromEntries(request.headers);
    const body = async () => (request.body === null ? undefined : new Uint8Array(await request.arrayBuffer()));
    return respond(await carryOut(admitted, { method, headers, body }, options, caller), method);
  };
  const check = async (url: string | URL): Promise<void> => checkCall(admit(policy, String(url)), options);
  return Object.assign(call, { check });
}

function respond({ status, headersDistinct, body, operation }: Carried, method: string): Response {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  if (method === 'HEAD' || status === 204 || status === 205 || status === 304) {
    body.destroy();
    return new Response(null, { status, headers });
  }
  return new Response(webBody(body, operation), { status, headers });
}
