import type { IncomingMessage } from 'node:http';
import { EGRESS_LIMITS } from '../limits.ts';
import { boundedBody } from './bounded-body.ts';
import { admitUrl, type Dial, type EgressPolicy, requireWayOut, type Target } from './egress-policy.ts';
import { EgressRefused } from './egress-refused.ts';
import { exchange } from './exchange.ts';
import { findAddresses, type Resolve, resolveHere } from './find-addresses.ts';
import { dialAddresses, openConnection } from './open-connection.ts';
import { Operation } from './operation.ts';

/** Of one operation, in milliseconds and bytes; what is left out is as `EGRESS_LIMITS` has it. */
export interface EgressLimits {
  readonly dnsMs?: number;
  readonly connectMs?: number;
  readonly headersMs?: number;
  readonly idleMs?: number;
  /** The whole operation with its body. None unless given, so that a healthy stream may go on for as long as it likes. */
  readonly totalMs?: number;
  readonly responseBytes?: number;
  readonly eventStreamBytes?: number;
}

export interface GuardedFetchOptions {
  readonly limits?: EgressLimits;
  /**
   * Headers that hold credentials. Called for an operation only after policy, URL and all addresses have passed, so that
   * nothing secret is read for a call that is refused. A name that the request already has is refused
   * (`A2A_CREDENTIAL_INJECTION_CONFLICT`).
   */
  readonly credentials?: (url: URL) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /** PEM certificates that are trusted in place of Node's own. */
  readonly ca?: string;
  /** How names are looked up; as the machine does it, unless given. */
  readonly resolve?: Resolve;
  /** How the verified addresses of the route `public` are connected to; over TCP, unless given. */
  readonly dial?: Dial;
}

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
    const { way, target } = admit(policy, input);
    const request = new Request(input, init);
    const caller = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    const operation = new Operation(caller, options.limits?.totalMs);
    try {
      return await perform({ way, target, request, operation, options });
    } catch (error) {
      operation.end(error);
      throw error;
    }
  };
  const check = async (url: string | URL): Promise<void> => {
    const { way, target } = admit(policy, url);
    const operation = new Operation(undefined, undefined);
    try {
      await locate({ way, target, operation, options });
    } finally {
      operation.end();
    }
  };
  return Object.assign(call, { check });
}

interface Located {
  readonly way: EgressPolicy;
  readonly target: Target;
  readonly operation: Operation;
  readonly options: GuardedFetchOptions;
}

function admit(policy: EgressPolicy | undefined, input: string | URL | Request) {
  const way = requireWayOut(policy);
  return { way, target: admitUrl(input instanceof Request ? input.url : String(input), way) };
}

async function locate({ way, target, operation, options }: Located): Promise<readonly string[]> {
  operation.signal.throwIfAborted();
  if (way.route === 'vpc') return [];
  operation.enter('A2A_EGRESS_DNS_FAILED', options.limits?.dnsMs ?? EGRESS_LIMITS.dnsMs);
  const addresses = await operation.race(findAddresses(target, options.resolve ?? resolveHere));
  operation.leave();
  return addresses;
}

async function perform(call: Located & { readonly request: Request }): Promise<Response> {
  const { way, target, request, operation, options } = call;
  const limits = { ...EGRESS_LIMITS, ...options.limits };
  const { signal } = operation;
  const addresses = await locate(call);
  const headers = await operation.race(withCredentials(request.headers, target, options));
  const body = request.body === null ? undefined : new Uint8Array(await operation.race(request.arrayBuffer()));

  operation.enter('A2A_EGRESS_CONNECT_FAILED', limits.connectMs);
  const dial = way.route === 'vpc' ? way.dial : (options.dial ?? dialAddresses);
  if (dial === undefined) throw new EgressRefused('A2A_VPC_EGRESS_DIALER_REQUIRED');
  const connecting = openConnection(target, { addresses, dial, ca: options.ca, signal });
  const connection = await operation.race(connecting);

  operation.enter('A2A_EGRESS_HEADERS_TIMEOUT', limits.headersMs);
  const { method } = request;
  const message = await operation.race(exchange(connection, target, { method, headers, body }, signal));
  return respond(message, operation, { ...limits, method });
}

async function withCredentials(
  headers: Headers,
  { url }: Target,
  { credentials }: GuardedFetchOptions,
): Promise<Headers> {
  if (credentials === undefined) return headers;
  const all = new Headers(headers);
  for (const [name, value] of new Headers(await credentials(url))) {
    if (headers.has(name)) throw new EgressRefused('A2A_CREDENTIAL_INJECTION_CONFLICT', name);
    all.set(name, value);
  }
  return all;
}

interface ResponseBounds {
  readonly method: string;
  readonly idleMs: number;
  readonly responseBytes: number;
  readonly eventStreamBytes: number;
}

function respond(message: IncomingMessage, operation: Operation, bounds: ResponseBounds): Response {
  const { statusCode: status = 0, headers: named } = message;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(message.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  if (bounds.method === 'HEAD' || status === 204 || status === 205 || status === 304) {
    operation.end();
    return new Response(null, { status, headers });
  }
  const isStream = named['content-type']?.toLowerCase().startsWith('text/event-stream') === true;
  const maxBytes = isStream ? bounds.eventStreamBytes : bounds.responseBytes;
  // The length as it was told; what really comes is counted all the same.
  if (Number(named['content-length'] ?? 0) > maxBytes) {
    throw new EgressRefused('A2A_EGRESS_RESPONSE_TOO_LARGE', `over ${maxBytes} bytes`);
  }
  return new Response(boundedBody(message, operation, { maxBytes, idleMs: bounds.idleMs }), { status, headers });
}
