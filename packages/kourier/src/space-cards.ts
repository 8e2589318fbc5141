import { createHash } from 'node:crypto';
import { withoutEndSlashes } from '@agentkourier/a2a/without-end-slashes';
import { publishedCard } from './core/directory/published-card.ts';
import type { RegisteredAgent } from './core/directory/registered-agent.ts';
import type { Seal } from './ports/space/seal.ts';
import type { SpaceConfiguration, SpacePolicy } from './ports/space/space-configuration.ts';
import { UpstreamFailed } from './ports/space/upstream.ts';
import { cardPlace, fetchCard } from './space/card-fetch.ts';
import type { AgentPlace } from './space/registration.ts';
import type { SpaceUpstreams } from './space-upstreams.ts';

/** Reads cards the way that their agents are reached. */
export function cardReader(upstreams: SpaceUpstreams, policyOf: (space: string) => SpacePolicy | undefined) {
  return {
    async fetchCard(place: AgentPlace, signal: AbortSignal) {
      const policy = policyOf(place.space);
      if (policy === undefined || place.cardUrl === undefined) throw new Error('a card is read at a URL, for a Space');
      const cardUrl = cardPlace(place.cardUrl);
      const upstream = upstreams.of({ ...place, urls: [cardUrl] }, policy);
      const headers = upstreams.identity(place, 'probe', { method: 'GET', url: cardUrl, headers: {} });
      return { card: await fetchCard(cardUrl, upstream, headers, signal), cardUrl };
    },
    /** Any answer will do: an agent whose card was given may publish none. */
    async probe(agent: RegisteredAgent, policy: SpacePolicy, signal: AbortSignal) {
      const [endpoint] = agent.current?.endpoints ?? [];
      if (endpoint === undefined) return;
      const url = cardPlace(endpoint.url);
      const headers = upstreams.identity(agent, 'probe', { method: 'GET', url, headers: {} });
      const answer = await upstreams.of(reached(agent), policy).call({ method: 'GET', url, headers }, signal);
      answer.cancel();
      if (answer.status >= 500) {
        const text = 'the agent answers that it cannot: look at its log';
        throw new UpstreamFailed({ code: `A2A_PROBE_HTTP_${answer.status}`, text, sent: true, retryable: true });
      }
    },
  };
}

/** An agent with all places where it may be called. */
export function reached(agent: RegisteredAgent) {
  const urls = [...(agent.current?.endpoints ?? []).map((endpoint) => endpoint.url), agent.cardUrl ?? ''];
  return { ...agent, urls: urls.filter((url) => url !== '') };
}

export interface PublishedBy {
  /** Of the agent at the gateway. */
  readonly base: string;
  readonly configuration: SpaceConfiguration;
  readonly seal: Pick<Seal, 'signCard'>;
}

/** The card that is published of an agent, as text, and what tells it from another one. */
export function published({ current }: RegisteredAgent, { base, configuration, seal }: PublishedBy) {
  if (current === undefined) return undefined;
  const openIdConnect = (configuration.access?.issuers ?? []).map(({ name, issuer }) => ({
    name,
    openIdConnectUrl: `${withoutEndSlashes(issuer)}/.well-known/openid-configuration`,
  }));
  const card = publishedCard(current, {
    ...{ base, pushNotifications: false, openIdConnect },
    isOpen: configuration.access === undefined,
  });
  if (card === undefined) return undefined;
  const body = JSON.stringify((configuration.signCards ? seal.signCard(card) : undefined) ?? card);
  // What the gateway says of itself changes with its configuration, not with the revision.
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
}
