import { keyIdIn, verifyCompact } from '@agentkourier/a2a/compact-jws';
import {
  bodySha256,
  FORWARDED_IDENTITY_HEADER,
  FORWARDED_IDENTITY_TYPE,
  type ForwardedIdentity,
  type ForwardedTarget,
  readIdentity,
} from '@agentkourier/a2a/forwarded-identity';
import { FORWARDED_IDENTITY_LIMITS } from '@agentkourier/a2a/limits';
import type { CardKey } from '@agentkourier/a2a/signature/keys';
import { INBOUND_LIMITS } from '../limits.ts';
import { fetchedKeys, givenKeys, type KeysFor } from './gateway-keys.ts';
import type { InboundRequest, VerifyInbound } from './inbound-call.ts';
import { UsedIdentities } from './used-identities.ts';

/**
 * Why a request was refused, for whoever runs the agent; its caller never learns. In the order in which they are looked
 * for: those up to `signature` anybody can bring about, all others only who has a token of the gateway.
 */
export type InboundRefusal =
  | 'no-identity'
  /** The gateway's keys cannot be had: the cause says why. */
  | 'no-keys'
  /** Malformed, another type of token, or signed by no key of the gateway. */
  | 'signature'
  /** A claim is missing, or at odds with another. */
  | 'claims'
  | 'issuer'
  /** Too old, or not yet: clocks differ by at most `INBOUND_LIMITS.clockSkewMs`. */
  | 'time'
  | keyof ForwardedTarget
  | 'method'
  /** Path and query. */
  | 'path'
  | 'used'
  /** `INBOUND_LIMITS.usedIdentities` are remembered. */
  | 'too-many'
  | 'body';

export interface GatewayCallersOptions extends ForwardedTarget {
  /** The gateway's public URL, as its tokens say it. */
  readonly issuer: string;
  /** The gateway's public keys as a JWK Set, or else `keysUrl`. */
  readonly keys?: object;
  /** Where the gateway has them: `https://GATEWAY/.well-known/jwks.json`. Without TLS on loopback only. */
  readonly keysUrl?: string;
  /** Fetches `keysUrl`; the global one unless given. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  readonly onRefused?: (why: InboundRefusal, cause?: unknown) => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

const TARGET = ['account', 'tenant', 'agent', 'runtime', 'registration'] as const;

/**
 * Takes only calls that a gateway made for this agent (rule A5): each carries a token that the gateway signed for this
 * account, tenant, agent, runtime and registration, and for this one request, its method, path, query and body. It counts
 * once, and for a minute at most. The caller's id is `ACCOUNT/TENANT/KIND/ID`, of the token alone; no other header is
 * looked at. Throws a TypeError that names what the options lack.
 *
 *     new AgentServer(agent, { url, inbound: gatewayCallers({ issuer, keysUrl, registration: 'space-demo/echo', … }) })
 */
export function gatewayCallers(options: GatewayCallersOptions): VerifyInbound {
  const { issuer, now = Date.now, onRefused = () => undefined } = options;
  judge(options);
  const keysFor = keysOf(options, now);
  const { clockSkewMs, usedIdentities } = INBOUND_LIMITS;
  const keptMs = FORWARDED_IDENTITY_LIMITS.identityLifeMs + 2 * clockSkewMs;
  const used = new UsedIdentities({ keptMs, most: usedIdentities });
  // The id of a caller may hold a slash, and what stands before it none.
  const owner = [options.account, options.tenant].map(encodeURIComponent).join('/');

  const refusalOf = (identity: ForwardedIdentity, request: InboundRequest): InboundRefusal | undefined => {
    const nowMs = now();
    if (identity.iss !== issuer) return 'issuer';
    if (nowMs < identity.iat * 1_000 - clockSkewMs || nowMs >= identity.exp * 1_000 + clockSkewMs) return 'time';
    const other = TARGET.find((name) => identity[name] !== options[name]);
    if (other !== undefined) return other;
    if (identity.htm !== request.method) return 'method';
    if (identity.htu !== request.target) return 'path';
    // Before the body: one that comes slowly would else outlive the memory of its token.
    const use = used.take(identity.jti, nowMs);
    if (use !== 'first') return use === 'used' ? 'used' : 'too-many';
    return undefined;
  };

  return async (request) => {
    const refuse = (why: InboundRefusal, cause?: unknown): undefined => void onRefused(why, cause);
    const token = request.header(FORWARDED_IDENTITY_HEADER);
    if (token === undefined) return refuse('no-identity');
    const keyId = keyIdIn(token);
    if (keyId === undefined) return refuse('signature');
    let keys: readonly CardKey[];
    try {
      keys = await keysFor(keyId);
    } catch (error) {
      return refuse('no-keys', error);
    }
    const claims = verifyCompact(token, FORWARDED_IDENTITY_TYPE, keys);
    if (claims === undefined) return refuse('signature');
    const identity = readIdentity(claims);
    if (identity === undefined) return refuse('claims');
    const refusal = refusalOf(identity, request);
    if (refusal !== undefined) return refuse(refusal);
    const body = await request.body();
    if (body === undefined || bodySha256(body) !== identity.bodySha256) return refuse('body');
    const { kind, sub } = identity;
    return { id: `${owner}/${kind}/${sub}`, kind };
  };
}

function judge(options: GatewayCallersOptions): void {
  for (const name of ['issuer', ...TARGET] as const) {
    const value: unknown = options[name];
    if (typeof value !== 'string' || (value === '' && name !== 'tenant'))
      throw new TypeError(`${name} must be a text${name === 'tenant' ? ', empty where there are no tenants' : ''}`);
  }
}

function keysOf({ keys, keysUrl, fetch = globalThis.fetch }: GatewayCallersOptions, now: () => number): KeysFor {
  if (keys !== undefined && keysUrl === undefined) return givenKeys(keys);
  if (keysUrl !== undefined && keys === undefined) return fetchedKeys({ url: keysUrl, fetch, now });
  throw new TypeError("the gateway's keys must be given: keys or keysUrl, one of the two");
}
