import { type IncomingHttpHeaders, validateHeaderName, validateHeaderValue } from 'node:http';
import type { Readable } from 'node:stream';
import { EGRESS_LIMITS } from '../limits.ts';
import { boundedBody } from './bounded-body.ts';
import { admitUrl, type Dial, type EgressPolicy, requireWayOut, type Target } from './egress-policy.ts';
import { EgressRefused } from './egress-refused.ts';
import { exchange } from './exchange.ts';
import { findAddresses, type Resolve, resolveHere } from './find-addresses.ts';
import { dialAddresses, openConnection } from './open-connection.ts';
import { Operation } from './operation.ts';

/** Of one operation, in milliseconds and bytes; what is left out is as `EGRESS_LIMITS` has it. `Infinity` is none. */
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

/** How a guarded call is made, whatever it is. */
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

/** What is to be sent, read only when the call was let out. */
export interface CallToMake {
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: () => Promise<Uint8Array | undefined>;
}

/** A response up to its headers, and the operation that ends with its body. */
export interface Carried {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly headersDistinct: NodeJS.Dict<string[]>;
  readonly body: Readable;
  readonly operation: Operation;
}

interface Admitted {
  readonly way: EgressPolicy;
  readonly target: Target;
}

interface Located extends Admitted {
  readonly operation: Operation;
  readonly options: GuardedFetchOptions;
}

/** Before anything of a call is read. */
export function admit(policy: EgressPolicy | undefined, url: string): Admitted {
  const way = requireWayOut(policy);
  return { way, target: admitUrl(url, way) };
}

export async function checkCall(admitted: Admitted, options: GuardedFetchOptions): Promise<void> {
  const operation = new Operation(undefined, undefined);
  try {
    await locate({ ...admitted, operation, options });
  } finally {
    operation.end();
  }
}

/** Carries out what was admitted: lookup, addresses, credentials, connection, request, response, in this order. */
export async function carryOut(
  admitted: Admitted,
  call: CallToMake,
  options: GuardedFetchOptions,
  caller: AbortSignal | undefined,
): Promise<Carried> {
  const operation = new Operation(caller, options.limits?.totalMs);
  try {
    return await perform({ ...admitted, operation, options }, call);
  } catch (error) {
    operation.end(error);
    throw error;
  }
}

async function locate({ way, target, operation, options }: Located): Promise<readonly string[]> {
  operation.signal.throwIfAborted();
  if (way.route === 'vpc') return [];
  operation.enter('A2A_EGRESS_DNS_FAILED', options.limits?.dnsMs ?? EGRESS_LIMITS.dnsMs);
  const addresses = await operation.race(findAddresses(target, options.resolve ?? resolveHere));
  operation.leave();
  return addresses;
}

async function perform(located: Located, call: CallToMake): Promise<Carried> {
  const { way, target, operation, options } = located;
  const limits = { ...EGRESS_LIMITS, ...options.limits };
  const { signal } = operation;
  const addresses = await locate(located);
  const headers = await operation.race(withCredentials(call.headers, target, options));
  const body = await operation.race(call.body());

  operation.enter('A2A_EGRESS_CONNECT_FAILED', limits.connectMs);
  const dial = way.route === 'vpc' ? way.dial : (options.dial ?? dialAddresses);
  if (dial === undefined) throw new EgressRefused('A2A_VPC_EGRESS_DIALER_REQUIRED');
  const connecting = openConnection(target, { addresses, dial, ca: options.ca, signal });
  const connection = await operation.race(connecting);

  operation.enter('A2A_EGRESS_HEADERS_TIMEOUT', limits.headersMs);
  const message = await operation.race(exchange(connection, target, { method: call.method, headers, body }, signal));
  const maxBytes = isStream(message.headers) ? limits.eventStreamBytes : limits.responseBytes;
  // The length as it was told, of a body that comes with it; what really comes is counted all the same.
  const hasBody = call.method !== 'HEAD' && message.statusCode !== 304;
  if (hasBody && Number(message.headers['content-length'] ?? 0) > maxBytes) {
    throw new EgressRefused('A2A_EGRESS_RESPONSE_TOO_LARGE', `over ${maxBytes} bytes`);
  }
  return {
    status: message.statusCode ?? 0,
    headers: message.headers,
    headersDistinct: message.headersDistinct,
    body: boundedBody(message, operation, { maxBytes, idleMs: limits.idleMs }),
    operation,
  };
}

function isStream(headers: IncomingHttpHeaders): boolean {
  return headers['content-type']?.toLowerCase().startsWith('text/event-stream') === true;
}

/** A header that cannot be sent is a TypeError; its value is in no message. */
async function withCredentials(
  headers: CallToMake['headers'],
  { url }: Target,
  { credentials }: GuardedFetchOptions,
): Promise<CallToMake['headers']> {
  const all: Record<string, string> = { ...headers };
  for (const [name, value] of Object.entries((await credentials?.(url)) ?? {})) {
    const lower = name.toLowerCase();
    if (Object.hasOwn(headers, lower)) throw new EgressRefused('A2A_CREDENTIAL_INJECTION_CONFLICT', lower);
    all[lower] = value;
  }
  for (const [name, value] of Object.entries(all)) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  return all;
}
