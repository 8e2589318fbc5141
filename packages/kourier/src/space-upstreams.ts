import { randomUUID } from 'node:crypto';
import {
  bodySha256,
  FORWARDED_IDENTITY_HEADER,
  FORWARDED_IDENTITY_TYPE,
  type ForwardedIdentity,
  identityClaims,
} from '@agentkourier/a2a/forwarded-identity';
import type { EgressPolicy } from '@agentkourier/agent';
import { guardedUpstream } from './adapters/upstream/guarded/guarded-upstream.ts';
import { vpcEgress } from './adapters/upstream/guarded/vpc-egress.ts';
import { type InsideUpstreams, insideUpstreams } from './adapters/upstream/inside/inside-upstreams.ts';
import type { Tunnels } from './adapters/upstream/tunnel/tunnels.ts';
import type { Principal } from './core/access/principal.ts';
import type { Reach } from './core/directory/registered-agent.ts';
import type { Clock } from './ports/clock.ts';
import type { Seal } from './ports/space/seal.ts';
import type { SpaceConfiguration, SpacePolicy } from './ports/space/space-configuration.ts';
import type { Upstream, UpstreamRequest } from './ports/space/upstream.ts';

export interface ReachedAgent {
  readonly space: string;
  readonly id: string;
  readonly reach: Reach;
  readonly dialer?: string | undefined;
  readonly credential?: string | undefined;
  /** Where it may be called: its endpoints, its card. */
  readonly urls: readonly string[];
}

export interface SpaceUpstreamsParts {
  readonly tunnels: Tunnels;
  readonly seal: Seal;
  readonly clock: Clock;
  configuration(): SpaceConfiguration;
  publicUrl(): string;
}

/** How each agent is reached: what the policy of its Space says first, then its credential, then the call (rule A4). */
export class SpaceUpstreams {
  readonly #parts: SpaceUpstreamsParts;
  readonly #inside: InsideUpstreams = insideUpstreams();

  constructor(parts: SpaceUpstreamsParts) {
    this.#parts = parts;
  }

  of(agent: ReachedAgent, policy: SpacePolicy): Upstream {
    const credentials = (url: URL) => this.#headersFor(agent.credential, url.origin);
    switch (agent.reach) {
      case 'inside':
        return carrying(this.#inside.to(agent.urls), credentials);
      case 'tunnel':
        return carrying(this.#parts.tunnels.upstreamOf(agent.space, agent.id), credentials);
      case 'public':
        return guardedUpstream(publicEgress(policy), { credentials });
      case 'vpc':
        return guardedUpstream(this.#vpc(agent.dialer), { credentials });
    }
  }

  /**
   * Says who calls, in a token for this very request (rule A5). None for an agent whose runtime is not configured: it would
   * not know what to make of it.
   */
  identity(
    { space, id }: { readonly space: string; readonly id: string },
    caller: Principal | 'probe',
    request: UpstreamRequest,
  ): Readonly<Record<string, string>> {
    const { seal, clock, publicUrl, configuration } = this.#parts;
    const target = configuration().agents.find((agent) => agent.space === space && agent.id === id)?.runtime;
    if (target === undefined) return {};
    const iat = Math.floor(clock.now() / 1_000);
    const { pathname, search } = new URL(request.url);
    const identity: ForwardedIdentity = {
      ...{
        ...target,
        registration: `${space}/${id}`,
        iss: publicUrl(),
        iat,
        exp: iat + IDENTITY_LIFE_S,
        jti: randomUUID(),
      },
      ...callerClaims(caller),
      ...{ htm: request.method, htu: pathname + search, bodySha256: bodySha256(request.body) },
    };
    return { [FORWARDED_IDENTITY_HEADER]: seal.sign(FORWARDED_IDENTITY_TYPE, identityClaims(identity)) };
  }

  close(): Promise<void> {
    return this.#inside.close();
  }

  /** To the webhooks of a Space, which get no credential but their signature. */
  toSinks(policy: SpacePolicy): Upstream {
    // A sink is the Space's own: it may be reached where agents may not.
    return guardedUpstream(publicEgress({ ...policy, egress: { ...policy.egress, public: true } }));
  }

  #vpc(name: string | undefined): EgressPolicy {
    const dialer = name === undefined ? undefined : this.#parts.configuration().dialers.get(name);
    return vpcEgress(dialer === undefined ? undefined : { kind: 'connect-proxy', ...dialer });
  }

  /** A credential goes to the origins that it is for, and nowhere else, whatever a card says. */
  #headersFor(name: string | undefined, origin: string): Readonly<Record<string, string>> {
    const credential = name === undefined ? undefined : this.#parts.configuration().credentials.get(name);
    if (credential === undefined || !credential.origins.includes(origin)) return {};
    return Object.fromEntries(credential.headers.map((header) => [header.name, header.value]));
  }
}

/** Long enough for a call that waits to be sent, short enough that a token that leaks is of no use. */
const IDENTITY_LIFE_S = 30;

function callerClaims(caller: Principal | 'probe'): Pick<ForwardedIdentity, 'sub' | 'kind' | 'callerRuntime'> {
  if (caller === 'probe') return { sub: 'gateway', kind: 'probe' };
  return { sub: caller.id, kind: caller.kind, ...(caller.kind === 'runtime' ? { callerRuntime: caller.id } : {}) };
}

function publicEgress({ egress }: SpacePolicy): EgressPolicy {
  const { ports, trustedHosts } = egress;
  return { route: 'public', enabled: egress.public, trustedHosts, ...(ports.length === 0 ? {} : { ports }) };
}

/** An upstream whose calls carry the headers of a credential; a header that the call has already is the caller's mistake. */
function carrying(upstream: Upstream, credentials: (url: URL) => Readonly<Record<string, string>>): Upstream {
  return {
    call: (request, signal) => {
      const headers: Record<string, string> = { ...request.headers };
      for (const [name, value] of Object.entries(credentials(new URL(request.url))))
        headers[name.toLowerCase()] = value;
      return upstream.call({ ...request, headers }, signal);
    },
  };
}
